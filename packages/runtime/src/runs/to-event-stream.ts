import { startBackgroundTimer } from "../platform/background-timer";
import type { LoggedEvent } from "./event-log";
import type { Run, RunWatcher } from "./run";

/** After so long a silence a comment is sent, so that nothing between takes the connection for dead. */
const HEARTBEAT_MS = 15_000;

const encoder = new TextEncoder();
const HEARTBEAT = encoder.encode(": still here\n\n");

/** Characters of events that are handed over at once. */
const MAX_PORTION = 64_000;

/**
 * A run as `text/event-stream` (HTML standard, section 9.2), from after that number to its end, or to its next pause.
 * Reads from the run's log as fast as it is itself read: nothing else is kept for a slow reader, and one too slow for the
 * log is cut off, and told so when it rejoins. Leaving it does not stop the run.
 */
export const toEventStream = (run: Run, after: number): ReadableStream<Uint8Array> =>
	new ReadableStream(new RunEventSource(run, after), { highWaterMark: 0 });

/** One for each stream: a class, as it takes less memory than closures do, and no promise for each event. */
class RunEventSource implements UnderlyingDefaultSource<Uint8Array>, RunWatcher {
	readonly #run: Run;
	#seq: number;
	#controller: ReadableStreamDefaultController<Uint8Array> | undefined;
	/** The reader waits, and there was nothing to give. */
	#isWaitedFor = false;
	#sentAt = 0;
	#stopHeartbeat: (() => void) | undefined;

	constructor(run: Run, after: number) {
		this.#run = run;
		this.#seq = after;
	}

	/** Watching begins with the first read: a stream that nobody ever reads is not cancelled either. */
	pull(controller: ReadableStreamDefaultController<Uint8Array>): void {
		if (this.#controller === undefined) {
			this.#controller = controller;
			this.#sentAt = Date.now();
			this.#run.watch(this);
		}
		this.#send();
	}

	onChange(): void {
		if (this.#isWaitedFor) this.#send();
	}

	cancel(): void {
		this.#leave();
	}

	#send(): void {
		const events = this.#run.log.after(this.#seq);
		if (events === undefined) return this.#close();
		const [text, last] = writePortion(events);
		if (last === undefined) return this.#run.result === undefined ? this.#wait() : this.#close();
		this.#isWaitedFor = false;
		this.#sentAt = Date.now();
		this.#seq = last.seq;
		this.#controller?.enqueue(encoder.encode(text));
		if (last.seq === this.#run.log.lastSeq && this.#isOver(last)) this.#close();
	}

	#isOver({ type }: LoggedEvent): boolean {
		return this.#run.result !== undefined || type === "run.paused";
	}

	#wait(): void {
		this.#isWaitedFor = true;
		this.#stopHeartbeat ??= startBackgroundTimer(HEARTBEAT_MS, () => this.#beat());
	}

	/** One timer for a whole silence: it is not set anew for each event. */
	#beat(): void {
		const silentMs = Date.now() - this.#sentAt;
		const isSilent = this.#isWaitedFor && silentMs >= HEARTBEAT_MS;
		if (isSilent) {
			this.#isWaitedFor = false;
			this.#sentAt = Date.now();
			this.#controller?.enqueue(HEARTBEAT);
		}
		const nextMs = isSilent || silentMs >= HEARTBEAT_MS ? HEARTBEAT_MS : HEARTBEAT_MS - silentMs;
		this.#stopHeartbeat = startBackgroundTimer(nextMs, () => this.#beat());
	}

	#close(): void {
		this.#leave();
		this.#controller?.close();
	}

	#leave(): void {
		this.#isWaitedFor = false;
		this.#stopHeartbeat?.();
		this.#stopHeartbeat = undefined;
		this.#run.unwatch(this);
	}
}

/** The first events as text, and the last of them. */
function writePortion(
	events: readonly LoggedEvent[],
): readonly [text: string, last: LoggedEvent | undefined] {
	let text = "";
	let last: LoggedEvent | undefined;
	for (const event of events) {
		const { seq, type, json } = event;
		text += `id: ${seq}\nevent: ${type}\ndata: ${json}\n\n`;
		last = event;
		if (text.length >= MAX_PORTION) break;
	}
	return [text, last];
}
