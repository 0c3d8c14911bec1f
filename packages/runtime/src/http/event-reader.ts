import { type EventSink, type EventSource, formatRecord } from "@stemma/protocol";
import type { EventRecord, RunChangeListener } from "@stemma/runs";
import type { EventFormat, RunEvents } from "./http-exchange";

/** Server-sent events with the numbers, kinds and JSON of the events. */
const OWN_FORMAT: EventFormat = { formatEvent: formatRecord, end: "", interruption: "", resumedFrom: 0 };

/** Characters of events that are handed over at once. */
const MAX_CHUNK_CHARACTERS = 64_000;

/**
 * Sends a run from after a number to its end, or to its next pause. Reads from the run's log as fast as it is itself
 * read: nothing else is kept for a slow reader, and one too slow for the log is cut off, and told so when it rejoins.
 * Leaving it does not stop the run. A class, as it takes less memory than closures do.
 */
export class EventReader implements RunChangeListener, EventSource {
	readonly #events: RunEvents;
	readonly #sink: EventSink;
	readonly #format: EventFormat;
	#seq: number;
	#state: "new" | "open" | "closed" = "new";

	constructor(events: RunEvents, sink: EventSink) {
		this.#events = events;
		this.#sink = sink;
		this.#seq = events.after;
		this.#format = events.format ?? OWN_FORMAT;
	}

	/** Watches the run from the first read on: a stream that nobody ever reads is not cancelled either. */
	onDrain(): void {
		const { run, active } = this.#events;
		if (this.#state === "new") {
			this.#state = "open";
			active.watch(run.id, this);
		}
		this.onChange();
	}

	/** Sends what there is, as long as there is room. */
	onChange(): void {
		while (this.#state === "open" && !this.#sink.isFull && this.#send());
	}

	onDisconnect(): void {
		this.#state = "closed";
		this.#events.active.unwatch(this.#events.run.id, this);
	}

	/** Sends what there is; true when there may be more. */
	#send(): boolean {
		const { run } = this.#events;
		const events = run.log.after(this.#seq);
		if (events === undefined) return this.#close(this.#format.interruption);
		const [text, last] = formatEvents(events, this.#format.formatEvent);
		if (last === undefined) return run.result !== undefined && this.#close();
		this.#seq = last.seq;
		if (text !== "") this.#sink.send(text);
		const isPaused = last.type === "run.paused" && last.seq > this.#format.resumedFrom;
		const isComplete = last.seq === run.log.lastSeq && (run.result !== undefined || isPaused);
		return isComplete ? this.#close() : last.seq < run.log.lastSeq;
	}

	#close(text = ""): false {
		this.onDisconnect();
		const end = text + this.#format.end;
		if (end !== "") this.#sink.send(end);
		this.#sink.end();
		return false;
	}
}

/** The first events as text, and the last of them. */
function formatEvents(
	events: readonly EventRecord[],
	format: (event: EventRecord) => string,
): readonly [text: string, last: EventRecord | undefined] {
	let text = "";
	let last: EventRecord | undefined;
	for (const event of events) {
		text += format(event);
		last = event;
		if (text.length >= MAX_CHUNK_CHARACTERS) break;
	}
	return [text, last];
}
