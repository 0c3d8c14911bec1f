import type { A2aMessage } from "@stemma/client/a2a";
import type { Caller } from "../auth/caller";
import type { Fingerprint } from "../auth/fingerprint";
import { createId } from "../create-id";
import { DomainError } from "../errors/domain-error";
import { isSecretContextId } from "./context-id";

/** Key that identifies a message that is sent twice. */
export interface MessageKey {
	readonly key: string;
	/** Others may send the same: nothing is handed over by it. */
	readonly isShared: boolean;
}

export interface MessageSender {
	readonly caller: Caller;
	/** Secret of a visitor, where all visitors of a page share a client key. */
	readonly visitor: string | undefined;
}

/** Shorter ids are numbers and the like, which are the same in the pages of many visitors. */
const MIN_SECRET_ID_CHARACTERS = 16;

/**
 * The key of a message: for a server its id. Of those who share a client key, one could send the id that another has chosen,
 * and be given that one's task. There it is the id with all that is said, and what proves who says it: a context that the
 * service has made, or the secret of the visitor. Without either nothing is handed over: a message with an id that may be
 * in the pages of many is another one each time, and any other is refused when it is sent again.
 */
export function toMessageKey(
	{ messageId, parts, contextId }: A2aMessage,
	{ caller, visitor }: MessageSender,
	fingerprint: Fingerprint,
): MessageKey {
	if (caller.kind === "client") return { key: messageId, isShared: false };
	const content = { messageId, parts, contextId };
	const isSecret = contextId !== undefined && isSecretContextId(contextId, caller, fingerprint);
	if (isSecret) return { key: fingerprint({ a2a_message: content }), isShared: false };
	if (visitor !== undefined)
		return { key: fingerprint({ a2a_message: { ...content, visitor } }), isShared: false };
	if (messageId.length < MIN_SECRET_ID_CHARACTERS) return { key: createId("message"), isShared: false };
	return { key: fingerprint({ a2a_message: content }), isShared: true };
}

export const messageIdReused = (): DomainError =>
	new DomainError("message_id_reused", "This message was sent before with this client key.", {
		hint: "To repeat a message with a client key, send the same secret of the visitor with both requests: 32 random hexadecimal characters in the header stemma-visitor. Otherwise give each message a new id.",
		param: "stemma-visitor",
	});
