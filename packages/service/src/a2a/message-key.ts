import type { A2aMessage } from "@stemma/client/a2a";
import type { Caller } from "../auth/caller";
import type { Fingerprint } from "../auth/fingerprint";
import { createNewId } from "../auth/new-id";

/** Shorter ids are numbers and the like, which are the same in the pages of many visitors. */
const SHORTEST_SECRET_ID = 16;

/**
 * By what a message that is sent twice is known again. For a server that is its id. Of those who share a client key, one
 * could send the id that another has chosen, and be given that one's task: there it is the id with all that is said, and
 * where. Who is given the task of a message without a context is given the conversation that it begins: such a message
 * is known again only by an id that nobody guesses.
 */
export function toMessageKey(
	{ messageId, parts, contextId }: A2aMessage,
	caller: Caller,
	fingerprint: Fingerprint,
): string {
	if (caller.kind === "client") return messageId;
	if (contextId === undefined && messageId.length < SHORTEST_SECRET_ID) return createNewId("message");
	return fingerprint({ a2a_message: { messageId, parts, contextId } });
}
