import type { WireRunEvent } from "@stemma/client";

/** An event as it was logged: ready to be sent. */
export interface LoggedEvent {
	readonly seq: number;
	readonly type: WireRunEvent["type"];
	/** The event as JSON. */
	readonly json: string;
}

/** The events of one run; the oldest go when it grows too long. */
export interface EventLog {
	append(event: WireRunEvent): void;
	/** All events after that number; undefined when some of them are gone. */
	after(seq: number): readonly LoggedEvent[] | undefined;
	/** Of the last event; 0 for none. */
	readonly lastSeq: number;
	/** In characters of JSON. */
	readonly length: number;
}

/** @param maxLength - in characters of JSON; the newest event is kept however long it is. */
export function createEventLog(maxLength: number): EventLog {
	const events: LoggedEvent[] = [];
	let length = 0;
	let lostSeq = 0;
	let lastSeq = 0;

	function trim(): void {
		let count = 0;
		while (length > maxLength && count < events.length - 1) {
			const event = events[count];
			length -= event?.json.length ?? 0;
			lostSeq = event?.seq ?? lostSeq;
			count += 1;
		}
		if (count > 0) events.splice(0, count);
	}

	return {
		append(event) {
			const json = JSON.stringify(event);
			events.push({ seq: event.seq, type: event.type, json });
			length += json.length;
			lastSeq = event.seq;
			trim();
		},
		after: (seq) => (seq < lostSeq ? undefined : events.slice(indexAfter(events, seq))),
		get lastSeq() {
			return lastSeq;
		},
		get length() {
			return length;
		},
	};
}

/** Numbers grow and may have gaps: the first that is larger, by halves. */
function indexAfter(events: readonly LoggedEvent[], seq: number): number {
	let low = 0;
	let high = events.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((events[middle]?.seq ?? 0) > seq) high = middle;
		else low = middle + 1;
	}
	return low;
}
