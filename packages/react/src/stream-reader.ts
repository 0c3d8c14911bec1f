/** Handlers of the events and the end of a stream. */
export interface StreamHandlers<Event, Stream, Result> {
	onEvent(event: Event, stream: Stream): void;
	/** Result of a stream whose events were all read. */
	getResult(stream: Stream): Promise<Result>;
	onResult(result: Result): void;
	/** Called when the stream cannot be opened or read, or has no result. */
	onError(error: unknown): void;
}

/** Reads one stream at a time: a stream that another one took the place of is not heeded any more. */
export class StreamReader<Event, Stream extends AsyncIterable<Event>, Result> {
	/** Opens the stream of a request that is not sent yet. Of two requests in the same tick, the later one is sent. */
	queued: (() => Stream) | undefined;
	readonly #handlers: StreamHandlers<Event, Stream, Result>;
	#reading: Stream | undefined;

	constructor(handlers: StreamHandlers<Event, Stream, Result>) {
		this.#handlers = handlers;
	}

	get isReading(): boolean {
		return this.#reading !== undefined;
	}

	/** Sends the queued request, and returns whether there was one. */
	readQueued(): boolean {
		const open = this.queued;
		this.queued = undefined;
		if (open !== undefined) void this.read(open);
		return open !== undefined;
	}

	async read(open: () => Stream): Promise<void> {
		const { onEvent, getResult, onResult, onError } = this.#handlers;
		let stream: Stream | undefined;
		try {
			stream = open();
			this.#reading = stream;
			for await (const event of stream) {
				if (this.#reading === stream) onEvent(event, stream);
				if (this.#reading !== stream) return;
			}
			if (this.#reading !== stream) return;
			const result = await getResult(stream);
			if (this.#reading === stream) onResult(result);
		} catch (error) {
			if (this.#reading === stream) onError(error);
		}
	}

	/** Heeds the stream no more, which stays open. */
	stop(): void {
		this.#reading = undefined;
	}
}
