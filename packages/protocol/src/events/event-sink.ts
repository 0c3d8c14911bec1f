import { clock } from "@stemma/core/internal";

/** Silence in milliseconds after which a comment is sent, so that no proxy treats the connection as dead. */
export const HEARTBEAT_MS = 15_000;
const HEARTBEAT = ": still here\n\n";

/** Source of the events of one stream. */
export interface EventSource {
	/** Called when the reader wants more: when it begins to read, and after all that was sent to a full sink was read. */
	onDrain(): void;
	/** Called when the reader has gone before the end of the stream. */
	onDisconnect(): void;
}

/**
 * Open stream of server-sent events: back-pressure, and a heartbeat while there is nothing to send. A class, as it takes
 * less memory than closures do.
 */
export abstract class EventSink {
	#source: EventSource | undefined;
	#sentAt = clock.now();
	#isFull = false;

	/** Starts the stream. The source may have sent something before. */
	start(source: EventSource): void {
		this.#source = source;
	}

	/** True while the reader has not taken what was sent: nothing should be sent until {@link EventSource.onDrain}. */
	get isFull(): boolean {
		return this.#isFull;
	}

	/** Sends events as text, or as its bytes. */
	send(events: string | Uint8Array): void {
		this.#sentAt = clock.now();
		this.#isFull = !this.write(events);
	}

	/** Ends the stream; nothing is sent after it. */
	abstract end(): void;

	/** @returns false where no more should follow for now. */
	protected abstract write(events: string | Uint8Array): boolean;

	/** Called by the platform when everything that was sent was taken. */
	drain(): void {
		this.#isFull = false;
		this.#source?.onDrain();
	}

	/** Called by the platform when the reader has gone. */
	disconnect(): void {
		this.#source?.onDisconnect();
	}

	/**
	 * Sends a comment if nothing was sent for too long; a slow reader has something to read already.
	 *
	 * @returns milliseconds since something was sent.
	 */
	sendHeartbeat(now: number): number {
		const idleMs = now - this.#sentAt;
		if (this.#isFull || idleMs < HEARTBEAT_MS) return idleMs;
		this.send(HEARTBEAT);
		return 0;
	}
}
