/** Body of a response that is written as it comes. Its writer waits until the reader has taken what was written. */
export class ResponseBody {
	readonly stream: ReadableStream<Uint8Array>;
	#controller: ReadableStreamDefaultController<Uint8Array> | undefined;
	/** Resolves once the reader has taken what was written. */
	#drained: Promise<void> | undefined;
	#resume = (): void => undefined;

	/** @param onCancel - called when the reader goes away. */
	constructor(onCancel: () => void) {
		this.stream = new ReadableStream(
			{
				start: (controller) => {
					this.#controller = controller;
				},
				pull: () => this.release(),
				cancel: onCancel,
			},
			{ highWaterMark: 0 },
		);
	}

	/** True while the reader has not taken what was written. */
	get isFull(): boolean {
		return this.#drained !== undefined;
	}

	/** Hands bytes over. Resolves when the reader wants more. */
	write(bytes: Uint8Array): Promise<void> | undefined {
		this.#controller?.enqueue(bytes);
		if ((this.#controller?.desiredSize ?? 0) >= 0) return undefined;
		this.#drained ??= new Promise((resolve) => {
			this.#resume = resolve;
		});
		return this.#drained;
	}

	/** Lets the writer go on, also where nobody reads any more. */
	release(): void {
		this.#drained = undefined;
		this.#resume();
	}

	close(): void {
		this.#controller?.close();
	}

	/** Breaks the stream off, so that its reader does not take it for a whole one. */
	abort(error: Error): void {
		this.#controller?.error(error);
	}
}
