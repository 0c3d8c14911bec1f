import type { StreamEvent } from "@stemma/protocol";
import { eventStream } from "../../http/event-stream";
import type { ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { presentReply } from "../../replies/present-reply";
import { replyInterrupted } from "../../replies/read-reply";
import type { ReplyEvent, Responder, ResponderReply } from "../../replies/reply";

/** Protocol in which one reply is streamed. */
export interface ReplyProtocol {
	encode(event: ReplyEvent): readonly StreamEvent[];
	/** Events behind those of the reply. */
	readonly end: readonly StreamEvent[];
	/** Converts an error in the middle of the stream, with which it ends. */
	toErrorEvents(error: unknown): readonly StreamEvent[];
	/** Called with the whole reply, before its end is sent. */
	onFinish?(reply: ResponderReply): Promise<void>;
}

/**
 * Streams a reply. An error before its first event is an error with a status, as clients of vendors expect. Any other, and a
 * reply without an end, ends the stream.
 */
export async function respondWithReply(
	context: ServiceContext,
	responder: Responder,
	{ encode, end, toErrorEvents, onFinish }: ReplyProtocol,
): Promise<Response> {
	setReceiptHeader(context, responder);
	const scope = toScope(context);
	const reply = responder.stream();
	let next = await reply.next();
	return eventStream(context, async (send, signal) => {
		const sendAll = async (events: readonly StreamEvent[]): Promise<void> => {
			for (const event of events) await send(event);
		};
		async function sendReply(event: ReplyEvent): Promise<boolean> {
			if (event.type !== "finish") return sendAll(encode(event)).then(() => false);
			await onFinish?.(event.reply);
			await sendAll([...encode({ ...event, reply: presentReply(event.reply, scope) }), ...end]);
			return true;
		}
		try {
			let isFinished = false;
			for (; next.done !== true && !isFinished; next = await reply.next())
				isFinished = await sendReply(next.value);
			if (!isFinished) throw replyInterrupted();
		} catch (error) {
			await reply.return(undefined);
			if (signal.aborted) throw error;
			await sendAll(toErrorEvents(error));
		}
	});
}

/** Waits for a whole reply, as it is sent. */
export async function generateReply(context: ServiceContext, responder: Responder): Promise<ResponderReply> {
	setReceiptHeader(context, responder);
	return presentReply(await responder.generate(), toScope(context));
}

/** Tells under which id the receipt of a reply is kept. */
export function setReceiptHeader(context: ServiceContext, { receiptId }: Responder): void {
	if (receiptId !== undefined) context.header("stemma-receipt-id", receiptId);
}
