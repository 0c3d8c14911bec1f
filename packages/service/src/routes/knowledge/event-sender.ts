import type { AskEvent } from "@stemma/client";
import type { SendEvent } from "../../http/event-stream";

/** An event of an answer without its number. */
export type UnnumberedAskEvent = AskEvent extends infer Event
	? Event extends AskEvent
		? Omit<Event, "seq">
		: never
	: never;

/** Numbers events and sends them in order, for those who make them and cannot wait. */
export interface EventSender {
	send(event: UnnumberedAskEvent): void;
	/** All were sent. @throws What went wrong with one of them. */
	waitUntilSent(): Promise<void>;
}

export function createEventSender(send: SendEvent): EventSender {
	let seq = 0;
	let sending: Promise<void> = Promise.resolve();
	return {
		send(event) {
			seq += 1;
			const id = seq;
			sending = sending.then(() => send({ id, event: event.type, data: { ...event, seq: id } }));
			// Whoever calls `waitUntilSent` is told.
			sending.catch(() => undefined);
		},
		waitUntilSent: () => sending,
	};
}
