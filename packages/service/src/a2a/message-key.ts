import type { A2aMessage } from "@stemma/client/a2a";
import type { Caller } from "../auth/caller";
import type { Fingerprint } from "../auth/fingerprint";

/**
 * By what a message that is sent twice is known again. For a server that is its id. Of those who share a client key, one
 * could send the id that another has chosen, and be given that one's task: there it is the id with all that is said.
 */
export const toMessageKey = (
	{ messageId, parts }: A2aMessage,
	caller: Caller,
	fingerprint: Fingerprint,
): string => (caller.kind === "client" ? messageId : fingerprint({ a2a_message: { messageId, parts } }));
