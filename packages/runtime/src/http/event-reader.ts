import { type EventSink, type EventSource, formatRecord } from "@stemma/protocol";
import type { EventRecord, RunChangeListener } from "@stemma/runs";
import type { RunEvents } from "./http-exchange";

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
	#seq: number;
	#state: "new" | "open" | "closed" = "new";

	constructor(events: RunEvents, sink: EventSink) {
		this.#events = events;
		this.#sink = sink;
		this.#seq = events.after;
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
		if (events === undefined) return this.#close();
		const [text, last] = formatEvents(events);
		if (last === undefined) return run.result !== undefined && this.#close();
		this.#seq = last.seq;
		this.#sink.send(text);
		const isComplete =
			last.seq === run.log.lastSeq && (run.result !== undefined || last.type === "run.paused");
		return isComplete ? this.#close() : last.seq < run.log.lastSeq;
	}

	#close(): false {
		this.onDisconnect();
		this.#sink.end();
		return false;
	}
}

/** The first events as text, and the last of them. */
function formatEvents(
	events: readonly EventRecord[],
): readonly [text: string, last: EventRecord | undefined] {
	let text = "";
	let last: EventRecord | undefined;
	for (const event of events) {
		text += formatRecord(event);
		last = event;
		if (text.length >= MAX_CHUNK_CHARACTERS) break;
	}
	return [text, last];
}
