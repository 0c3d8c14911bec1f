import { Queue } from "@stemma/core/internal";

/** Events that are pushed, and read by one reader. */
export class EventStream<Event> implements AsyncIterable<Event> {
	readonly #events = new Queue<Event>();
	#end: { readonly error?: unknown } | undefined;
	#isClosed = false;
	#wake: (() => void) | undefined;

	/** True once the reader has left. */
	get isClosed(): boolean {
		return this.#isClosed;
	}

	push(event: Event): void {
		this.#events.push(event);
		this.#wake?.();
	}

	end(): void {
		this.#end ??= {};
		this.#wake?.();
	}

	/** Reading fails, after what was pushed before. */
	fail(error: unknown): void {
		this.#end ??= { error };
		this.#wake?.();
	}

	async *[Symbol.asyncIterator](): AsyncGenerator<Event, void> {
		try {
			for (;;) {
				const event = this.#events.shift();
				if (event !== undefined) yield event;
				else if (this.#end === undefined)
					await new Promise<void>((wake) => {
						this.#wake = wake;
					});
				else if ("error" in this.#end) throw this.#end.error;
				else return;
			}
		} finally {
			this.#isClosed = true;
		}
	}
}
