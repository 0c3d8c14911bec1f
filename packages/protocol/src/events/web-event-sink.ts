import { clock, startBackgroundTimer } from "@stemma/core/internal";
import { EventSink, HEARTBEAT_MS } from "./event-sink";

const encoder = new TextEncoder();

/** Stream of events as the body of a response of the web standard. It takes one piece at a time. */
export class WebEventSink extends EventSink {
	readonly stream: ReadableStream<Uint8Array>;
	#controller: ReadableStreamDefaultController<Uint8Array> | undefined;
	/** Stops the heartbeat. Timers are of one stream alone: Workers drop a timer with the request that it was set in. */
	#stopHeartbeat: (() => void) | undefined;
	#isEnded = false;

	constructor() {
		super();
		this.stream = new ReadableStream(
			{
				start: (controller) => {
					this.#controller = controller;
				},
				pull: () => {
					if (this.#stopHeartbeat === undefined) this.#scheduleHeartbeat(HEARTBEAT_MS);
					this.drain();
				},
				cancel: () => {
					this.#finish();
					this.disconnect();
				},
			},
			{ highWaterMark: 0 },
		);
	}

	end(): void {
		if (this.#finish()) this.#controller?.close();
	}

	/** Breaks the stream off, so that its reader does not take it for a whole one. */
	abort(error: Error): void {
		if (this.#finish()) this.#controller?.error(error);
	}

	protected write(events: string | Uint8Array): boolean {
		if (this.#isEnded) return true;
		this.#controller?.enqueue(typeof events === "string" ? encoder.encode(events) : events);
		return (this.#controller?.desiredSize ?? 0) >= 0;
	}

	/** @returns false where the stream has ended before. */
	#finish(): boolean {
		const wasOpen = !this.#isEnded;
		this.#isEnded = true;
		this.#stopHeartbeat?.();
		return wasOpen;
	}

	/** One timer for a whole silence: it is not set again for each event. */
	#scheduleHeartbeat(milliseconds: number): void {
		this.#stopHeartbeat = startBackgroundTimer(milliseconds, () => {
			const idleMs = this.sendHeartbeat(clock.now());
			this.#scheduleHeartbeat(idleMs < HEARTBEAT_MS ? HEARTBEAT_MS - idleMs : HEARTBEAT_MS);
		});
	}
}
