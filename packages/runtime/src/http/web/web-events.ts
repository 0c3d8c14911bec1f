import { clock } from "@stemma/core/internal";
import { HEARTBEAT_MS } from "@stemma/protocol";
import { startBackgroundTimer } from "@stemma/runs";
import { EventReader } from "../event-reader";
import type { RunEvents } from "../http-exchange";

const encoder = new TextEncoder();

/** The events of a run as a stream of bytes. Watching begins with the first read: a stream that nobody ever reads is not cancelled either. */
export function toWebStream(events: RunEvents): ReadableStream<Uint8Array> {
	let reader: WebEventReader | undefined;
	return new ReadableStream(
		{
			pull(controller) {
				if (reader !== undefined) return reader.resume();
				reader = new WebEventReader(events, controller);
				reader.start();
			},
			cancel: () => reader?.detach(),
		},
		{ highWaterMark: 0 },
	);
}

class WebEventReader extends EventReader {
	readonly #controller: ReadableStreamDefaultController<Uint8Array>;
	/** Timer of this stream alone: Workers drop a timer with the request that it was set in. */
	#stopHeartbeat: (() => void) | undefined;

	constructor(events: RunEvents, controller: ReadableStreamDefaultController<Uint8Array>) {
		super(events);
		this.#controller = controller;
		this.#schedule(HEARTBEAT_MS);
	}

	protected write(text: string): boolean {
		this.#controller.enqueue(encoder.encode(text));
		return (this.#controller.desiredSize ?? 0) > 0;
	}

	protected end(): void {
		this.#controller.close();
	}

	override detach(): void {
		super.detach();
		this.#stopHeartbeat?.();
	}

	/** One timer for a whole silence: it is not set anew for each event. */
	#schedule(milliseconds: number): void {
		this.#stopHeartbeat = startBackgroundTimer(milliseconds, () => {
			const silentMs = this.sendHeartbeat(clock.now());
			this.#schedule(silentMs < HEARTBEAT_MS ? HEARTBEAT_MS - silentMs : HEARTBEAT_MS);
		});
	}
}
