import type { AskEvent, WireRunEvent } from "@stemma/client";
import { StreamReader } from "../stream-reader";
import type { AnswerStream } from "./answer-stream";
import type { AnswerEnd } from "./thread-event";

type AnswerEvent = WireRunEvent | AskEvent;

/** Handlers of what happens in the answers of a thread, each by the key of its message. */
export interface AnswerHandlers {
	/** Called at the first event: a run is known now, and the id of its message. */
	onStart(key: string, stream: AnswerStream, messageId: string | undefined): void;
	onEvent(key: string, event: AnswerEvent): void;
	onEnd(key: string, end: AnswerEnd): void;
	onError(key: string, error: unknown): void;
}

/** An answer that is being read. */
interface Reading {
	readonly reader: StreamReader<AnswerEvent, AnswerStream, AnswerEnd>;
	stream: AnswerStream | undefined;
	hasStarted: boolean;
	/** True where no page shows the answer any more: it is closed as soon as it can be found again. */
	isDetached: boolean;
}

/** Reads the answers of a thread that are being written, several at a time. */
export class AnswerReaders {
	readonly #handlers: AnswerHandlers;
	readonly #readings = new Map<string, Reading>();
	readonly #lastSeqs = new Map<string, number>();

	constructor(handlers: AnswerHandlers) {
		this.#handlers = handlers;
	}

	isReading(key: string): boolean {
		return this.#readings.has(key);
	}

	/** Sequence number of the last event that was read of an answer; 0 for none. */
	lastSeq(key: string): number {
		return this.#lastSeqs.get(key) ?? 0;
	}

	/** Reads an answer to its end. Resolves as soon as it has started, or has failed to. */
	read(key: string, open: () => AnswerStream): Promise<void> {
		return new Promise((resolve) => {
			const end = (handle: () => void): void => {
				this.#readings.delete(key);
				resolve();
				handle();
			};
			const reader = new StreamReader<AnswerEvent, AnswerStream, AnswerEnd>({
				onEvent: (event, stream) => {
					this.#onEvent(key, event, stream);
					resolve();
				},
				getResult: (stream) => stream.end(),
				onResult: (result) => end(() => this.#handlers.onEnd(key, result)),
				onError: (error) => end(() => this.#handlers.onError(key, error)),
			});
			const reading: Reading = { reader, stream: undefined, hasStarted: false, isDetached: false };
			this.#readings.set(key, reading);
			void reader.read(() => {
				reading.stream = open();
				return reading.stream;
			});
		});
	}

	/** Stops an answer; reading continues to its end. */
	cancel(key: string): void {
		this.#readings.get(key)?.stream?.cancel();
	}

	/** Reads on what has not started since `detach`. */
	attach(): void {
		for (const reading of this.#readings.values()) reading.isDetached = false;
	}

	/** Stops reading; runs continue. */
	detach(): void {
		for (const [key, reading] of this.#readings) {
			reading.isDetached = true;
			if (reading.hasStarted) this.#close(key, reading);
		}
	}

	#onEvent(key: string, event: AnswerEvent, stream: AnswerStream): void {
		const reading = this.#readings.get(key);
		if (reading === undefined) return;
		this.#lastSeqs.set(key, event.seq);
		if (!reading.hasStarted) this.#handlers.onStart(key, stream, toMessageId(event));
		reading.hasStarted = true;
		this.#handlers.onEvent(key, event);
		if (reading.isDetached) this.#close(key, reading);
	}

	#close(key: string, { reader, stream }: Reading): void {
		this.#readings.delete(key);
		reader.stop();
		stream?.close();
	}
}

/** Id of the message that an answer is stored as, where its first event says it. */
const toMessageId = (event: AnswerEvent): string | undefined =>
	"message_id" in event && typeof event.message_id === "string" ? event.message_id : undefined;
