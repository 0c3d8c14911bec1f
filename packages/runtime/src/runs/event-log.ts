import type { WireRunEvent } from "@stemma/client";
import type { SourceEvent } from "../agents/runnable-agent";
import { toWireJson } from "./wire-event";

/** An event as it was logged; it becomes JSON when it is first sent, and is not made again for the next reader. */
export class LoggedEvent {
	readonly seq: number;
	readonly type: WireRunEvent["type"];
	/** Size of the event in its log, in characters of JSON. */
	length: number;
	readonly #log: EventLog;
	#event: SourceEvent | undefined;
	#json = "";
	#resultOffset = 0;

	constructor(event: SourceEvent, log: EventLog) {
		this.seq = event.seq;
		this.type = event.type;
		this.length = estimateLength(event) ?? 0;
		this.#log = log;
		this.#event = event;
	}

	/** The event as JSON. */
	get json(): string {
		if (this.#event !== undefined) this.#write(this.#event);
		return this.#json;
	}

	/** Result of the event as JSON, if it has one. */
	get resultJson(): string {
		return this.json.slice(this.#resultOffset, -1);
	}

	#write(event: SourceEvent): void {
		const { json, resultOffset } = toWireJson(event);
		this.#event = undefined;
		this.#json = json;
		this.#resultOffset = resultOffset;
		this.#log.length += json.length - this.length;
		this.length = json.length;
	}
}

/** Typical length of an event without its texts: names, ids and times. In characters of JSON. */
const BASE_LENGTH = 240;

/** Estimates the length of an event in characters of JSON; undefined for events whose JSON is written at once. */
function estimateLength(event: SourceEvent): number | undefined {
	switch (event.type) {
		case "run.started":
		case "run.resumed":
		case "text.reset":
			return BASE_LENGTH;
		case "text.delta":
		case "reasoning.delta":
			return BASE_LENGTH + event.text.length;
		case "node.started":
			return typeof event.input === "string" ? BASE_LENGTH + event.input.length : undefined;
		case "node.completed":
			return typeof event.output === "string" ? BASE_LENGTH + event.output.length : undefined;
		default:
			return undefined;
	}
}

/** The events of one run; the oldest go when it grows too long. A class, as it takes less memory than closures do. */
export class EventLog {
	/** Length in characters of JSON. */
	length = 0;
	/** Sequence number of the last event; 0 for none. */
	lastSeq = 0;
	readonly #maxLength: number;
	readonly #events: LoggedEvent[] = [];
	/** Number of dropped events that still have their places in the list. */
	#droppedCount = 0;
	#lastDroppedSeq = 0;

	/** @param maxLength - in characters of JSON; the newest event is kept however long it is. */
	constructor(maxLength: number) {
		this.#maxLength = maxLength;
	}

	append(event: SourceEvent): LoggedEvent {
		const logged = new LoggedEvent(event, this);
		this.#events.push(logged);
		this.length += logged.length;
		// It is as long as it is: only writing it tells.
		if (logged.length === 0) void logged.json;
		this.lastSeq = event.seq;
		if (this.length > this.#maxLength) this.#trim();
		return logged;
	}

	/** All events after that number; undefined when some of them are gone. */
	after(seq: number): readonly LoggedEvent[] | undefined {
		if (seq < this.#lastDroppedSeq) return undefined;
		return seq >= this.lastSeq ? [] : this.#events.slice(indexAfter(this.#events, this.#droppedCount, seq));
	}

	#trim(): void {
		while (this.length > this.#maxLength && this.#droppedCount < this.#events.length - 1) {
			const event = this.#events[this.#droppedCount];
			delete this.#events[this.#droppedCount];
			this.length -= event?.length ?? 0;
			this.#lastDroppedSeq = event?.seq ?? this.#lastDroppedSeq;
			this.#droppedCount += 1;
		}
		if (this.#droppedCount * 2 < this.#events.length) return;
		this.#events.splice(0, this.#droppedCount);
		this.#droppedCount = 0;
	}
}

/** Numbers grow and may have gaps: the first that is larger, by halves. */
function indexAfter(events: readonly LoggedEvent[], from: number, seq: number): number {
	let low = from;
	let high = events.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((events[middle]?.seq ?? 0) > seq) high = middle;
		else low = middle + 1;
	}
	return low;
}
