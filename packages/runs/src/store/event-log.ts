import { type EventRecord, joinResult, type SourceEvent, toWireJson } from "./event-record";

/**
 * Record of an event in memory: it becomes JSON when it is first sent, since most are never sent, and is not made again
 * for the next reader. A class, as it takes less memory than closures do.
 */
export class LazyRecord implements EventRecord {
	readonly seq: number;
	readonly type: EventRecord["type"];
	/** Size of the event in its log, in characters of JSON. */
	length: number;
	readonly #log: EventLog;
	#event: SourceEvent | undefined;
	#json = "";
	#resultJson: string;

	constructor(event: SourceEvent, log: EventLog) {
		this.seq = event.seq;
		this.type = event.type;
		this.#resultJson = "result" in event ? JSON.stringify(event.result) : "";
		this.length = estimateLength(event, this.#resultJson) ?? 0;
		this.#log = log;
		this.#event = event;
	}

	/** The event as JSON. */
	get json(): string {
		if (this.#event !== undefined) this.#write(this.#event);
		return this.#json;
	}

	/** Result of the event as JSON; empty without one. */
	get resultJson(): string {
		return this.#resultJson;
	}

	#write(event: SourceEvent): void {
		const json = "result" in event ? joinResult(event, this.#resultJson) : toWireJson(event);
		this.#event = undefined;
		this.#json = json;
		// A part of the whole, so that a long result is kept once.
		if (this.#resultJson !== "") this.#resultJson = json.slice(-1 - this.#resultJson.length, -1);
		this.#log.length += json.length - this.length;
		this.length = json.length;
	}
}

/** Typical length of an event without its texts: names, ids and times. In characters of JSON. */
const BASE_LENGTH = 240;

/** Estimates the length of an event in characters of JSON; undefined for events whose JSON is written at once. */
function estimateLength(event: SourceEvent, resultJson: string): number | undefined {
	if (resultJson !== "") return BASE_LENGTH + resultJson.length;
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
	readonly #events: (EventRecord & { readonly length: number })[] = [];
	/** Number of dropped events that still have their places in the list. */
	#droppedCount = 0;
	#lastDroppedSeq = 0;

	/** @param maxLength - in characters of JSON; the newest event is kept however long it is. */
	constructor(maxLength: number) {
		this.#maxLength = maxLength;
	}

	append(event: SourceEvent): LazyRecord {
		const record = new LazyRecord(event, this);
		this.#push(record);
		// It is as long as it is: only writing it tells.
		if (record.length === 0) void record.json;
		this.#trim();
		return record;
	}

	/** Appends an event that is text already. */
	appendRecord({ seq, type, json }: EventRecord): void {
		this.#push({ seq, type, json, length: json.length });
		this.#trim();
	}

	/** Keeps all of its events as text from now on: they are small, and hold nothing else in memory. */
	writeAll(): void {
		for (let index = this.#droppedCount; index < this.#events.length; index++) void this.#events[index]?.json;
	}

	/** All events after that number; undefined when some of them are gone. */
	after(seq: number): readonly EventRecord[] | undefined {
		if (seq < this.#lastDroppedSeq) return undefined;
		return seq >= this.lastSeq ? [] : this.#events.slice(indexAfter(this.#events, this.#droppedCount, seq));
	}

	#push(record: EventRecord & { readonly length: number }): void {
		this.#events.push(record);
		this.length += record.length;
		this.lastSeq = record.seq;
	}

	#trim(): void {
		if (this.length <= this.#maxLength) return;
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
function indexAfter(events: readonly EventRecord[], from: number, seq: number): number {
	let low = from;
	let high = events.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((events[middle]?.seq ?? 0) > seq) high = middle;
		else low = middle + 1;
	}
	return low;
}
