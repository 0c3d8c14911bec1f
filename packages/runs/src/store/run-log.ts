import { sleep } from "@stemma/core/internal";
import type { LoggedEvent, LoggedReceipt, RunBatch, RunStore } from "./run-store";

/** Options of the log of the runs of one store. */
export interface RunLogOptions {
	/** Called with what is on the disk now. */
	readonly onWritten: (events: readonly LoggedEvent[]) => void;
	/** Called each time that the disk refuses. It is tried again until it works, or until the log is closed. */
	readonly onFailure: (error: unknown) => void;
	/** False for an error after which a batch is dropped: no later try may write into a damaged store. Default: always true. */
	readonly isRetryable?: (error: unknown) => boolean;
	/** Default 500. */
	readonly retryMs?: number;
}

/**
 * Writes what happens in runs to their store, and reports once it is there. One transaction at a time: while it is in
 * progress, what happens in all runs of the workspace gathers for the next. So a busy workspace waits for the disk no more
 * often than a quiet one.
 */
export class RunLog {
	readonly #store: Pick<RunStore, "append">;
	readonly #options: RunLogOptions;
	readonly #closing = new AbortController();
	#events: LoggedEvent[] = [];
	#receipts: LoggedReceipt[] = [];
	#isWriting = false;
	/** Number of entries that were appended, and number that are on the disk or dropped, since the start. */
	#appended = 0;
	#written = 0;
	/** Waiters, in order of the sequence number that must be written for them. */
	readonly #waiters: { readonly sequence: number; readonly resolve: () => void }[] = [];

	constructor(store: Pick<RunStore, "append">, options: RunLogOptions) {
		this.#store = store;
		this.#options = options;
	}

	append(event: LoggedEvent): void {
		this.#events.push(event);
		this.#write();
	}

	appendReceipt(receipt: LoggedReceipt): void {
		this.#receipts.push(receipt);
		this.#write();
	}

	/** Resolves once everything that was appended before is on the disk. */
	flushed(): Promise<void> {
		return new Promise((resolve) => {
			if (this.#written >= this.#appended) resolve();
			else this.#waiters.push({ sequence: this.#appended, resolve });
		});
	}

	/** Ends the retries, before the file is closed: what the disk refuses from now on is reported and dropped. */
	close(): void {
		this.#closing.abort();
	}

	#write(): void {
		this.#appended += 1;
		if (this.#isWriting) return;
		this.#isWriting = true;
		void this.#writeAll();
	}

	async #writeAll(): Promise<void> {
		// What happens in the same tick goes together.
		await Promise.resolve();
		while (this.#events.length + this.#receipts.length > 0) {
			const batch: RunBatch = { events: this.#events, receipts: this.#receipts };
			this.#events = [];
			this.#receipts = [];
			const isStored = await this.#writeBatch(batch);
			this.#written += batch.events.length + batch.receipts.length;
			if (isStored) this.#options.onWritten(batch.events);
			this.#resolveWaiters();
		}
		this.#isWriting = false;
	}

	/** Resolves those whose entries are written, though others are not: in a busy workspace all never are. */
	#resolveWaiters(): void {
		const waiters = this.#waiters;
		while (waiters[0] !== undefined && waiters[0].sequence <= this.#written) waiters.shift()?.resolve();
	}

	/** Writes a batch of events, and retries until it is written. Returns false if the batch was dropped. */
	async #writeBatch(batch: RunBatch): Promise<boolean> {
		const { onFailure, isRetryable = () => true, retryMs = 500 } = this.#options;
		const { signal } = this.#closing;
		for (;;) {
			try {
				await this.#store.append(batch);
				return true;
			} catch (error) {
				onFailure(error);
				if (!isRetryable(error)) return false;
				await sleep(retryMs, signal);
				if (signal.aborted) return false;
			}
		}
	}
}
