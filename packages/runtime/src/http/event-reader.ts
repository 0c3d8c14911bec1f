import { clock } from "@stemma/core/internal";
import { formatRecord, HEARTBEAT, HEARTBEAT_MS } from "@stemma/protocol";
import type { EventRecord, RunChangeListener } from "@stemma/runs";
import type { RunEvents } from "./http-exchange";

/** Characters of events that are handed over at once. */
const MAX_CHUNK_CHARACTERS = 64_000;

/**
 * A run as `text/event-stream` (HTML standard, section 9.2), from after a number to its end, or to its next pause. Reads
 * from the run's log as fast as it is itself read: nothing else is kept for a slow reader, and one too slow for the log is
 * cut off, and told so when it rejoins. Leaving it does not stop the run. A class, as it takes less memory than closures do.
 */
export abstract class EventReader implements RunChangeListener {
	readonly #events: RunEvents;
	#seq: number;
	/** `ready` to send, though there may be no room; `waiting` for events. */
	#state: "ready" | "waiting" | "closed" = "ready";
	#sentAt = clock.now();

	constructor(events: RunEvents) {
		this.#events = events;
		this.#seq = events.after;
	}

	/** Sends text; false when no more may follow until {@link resume} is called. */
	protected abstract write(text: string): boolean;
	/** Ends the stream: nothing more will come. */
	protected abstract end(): void;

	/** Watches the run from now on. */
	start(): void {
		this.#events.active.watch(this.#events.run.id, this);
		this.resume();
	}

	/** Continues to send, since there is room for more. */
	resume(): void {
		while (this.#state === "ready" && this.#send());
	}

	onChange(): void {
		if (this.#state !== "waiting") return;
		this.#state = "ready";
		this.resume();
	}

	/**
	 * Sends a comment if nothing was sent for too long because nothing happened. Returns the time in milliseconds
	 * without sending.
	 */
	sendHeartbeat(now: number): number {
		const idleMs = now - this.#sentAt;
		if (this.#state !== "waiting" || idleMs < HEARTBEAT_MS) return idleMs;
		this.#sentAt = now;
		this.#state = this.write(HEARTBEAT) ? "waiting" : "ready";
		return 0;
	}

	/** Watches it no more. */
	detach(): void {
		this.#state = "closed";
		this.#events.active.unwatch(this.#events.run.id, this);
	}

	/** Sends what there is; true when there may be more to send at once. */
	#send(): boolean {
		const { run } = this.#events;
		const events = run.log.after(this.#seq);
		if (events === undefined) return this.#close();
		const [text, last] = formatEvents(events);
		if (last === undefined) {
			if (run.result !== undefined) return this.#close();
			this.#state = "waiting";
			return false;
		}
		this.#sentAt = clock.now();
		this.#seq = last.seq;
		const canWriteMore = this.write(text);
		const isComplete =
			last.seq === run.log.lastSeq && (run.result !== undefined || last.type === "run.paused");
		return isComplete ? this.#close() : canWriteMore;
	}

	#close(): false {
		this.detach();
		this.end();
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
