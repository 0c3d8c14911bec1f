import { DomainError } from "../errors/domain-error";
import type { ReplyEvent, ResponderReply } from "./reply";

/** Reads a stream of events to its end. @throws DomainError `shutting_down` where it ends without a reply. */
export async function readReply(events: AsyncIterable<ReplyEvent>): Promise<ResponderReply> {
	for await (const event of events) if (event.type === "finish") return event.reply;
	throw replyInterrupted();
}

/** Error of a reply that the service has not ended before it stopped. */
export const replyInterrupted = (): DomainError =>
	new DomainError("shutting_down", "The service is stopping.", {
		hint: "Send the request again in a few seconds.",
		retryAfterSeconds: 5,
	});
