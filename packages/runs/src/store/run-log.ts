import { sleep } from "@stemma/core/internal";
import type { LoggedEvent, LoggedReceipt, LoggedState, RunBatch, RunStore, SavedState } from "./run-store";
import { RunsLostError } from "./runs-lost-error";

/** Options of the log of the runs of one store. */
export interface RunLogOptions {
	/** Called with what is on the disk now. */
	readonly onWritten: (events: readonly LoggedEvent[]) => void;
	/** Called each time that the disk refuses. It is tried again until it works, or until the log is closed. */
	readonly onFailure: (error: unknown) => void;
	/** False for an error after which a batch is dropped: no later try may write into a damaged store. Default: always true. */
	readonly isRetryable?: (error: unknown) => boolean;
	/** Called with runs that another process has claimed since; their events are dropped. Default: there is no other process. */
	readonly onLost?: (runIds: readonly string[]) => void;
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
	/** Functions that give the states of runs that are to be saved, by id of the run. */
	#states = new Map<string, () => SavedState | undefined>();
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

	/**
	 * Saves the state of a run with the next batch.
	 *
	 * @param take - gives the state when that batch is made, so that it holds all events of the batch; undefined for a run that
	 * does not go on. It is called once, whatever the number of requests since the batch before.
	 */
	saveState(runId: string, take: () => SavedState | undefined): void {
		const isPending = this.#states.has(runId);
		this.#states.set(runId, take);
		if (!isPending) this.#write();
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
		while (this.#events.length + this.#receipts.length + this.#states.size > 0) {
			const size = this.#events.length + this.#receipts.length + this.#states.size;
			const stored = await this.#writeBatch(this.#takeBatch());
			this.#written += size;
			if (stored !== undefined) this.#options.onWritten(stored.events);
			this.#resolveWaiters();
		}
		this.#isWriting = false;
	}

	#takeBatch(): RunBatch {
		const batch = { events: this.#events, receipts: this.#receipts };
		const pending = this.#states;
		this.#events = [];
		this.#receipts = [];
		if (pending.size === 0) return batch;
		this.#states = new Map();
		return { ...batch, states: [...pending].flatMap(([runId, take]) => this.#takeState(runId, take)) };
	}

	/** A run whose state cannot be taken goes on; it cannot be resumed later. */
	#takeState(runId: string, take: () => SavedState | undefined): readonly LoggedState[] {
		try {
			const state = take();
			return state === undefined ? [] : [{ runId, ...state }];
		} catch (error) {
			this.#options.onFailure(error);
			return [];
		}
	}

	/** Resolves those whose entries are written, though others are not: in a busy workspace all never are. */
	#resolveWaiters(): void {
		const waiters = this.#waiters;
		while (waiters[0] !== undefined && waiters[0].sequence <= this.#written) waiters.shift()?.resolve();
	}

	/** Writes a batch, and retries until it is written. Returns what was written; undefined if all of it was dropped. */
	async #writeBatch(whole: RunBatch): Promise<RunBatch | undefined> {
		const { onFailure, onLost, isRetryable = () => true, retryMs = 500 } = this.#options;
		const { signal } = this.#closing;
		for (let batch = whole; ; ) {
			try {
				await this.#store.append(batch);
				return batch;
			} catch (error) {
				if (error instanceof RunsLostError) {
					batch = withoutRuns(batch, error.runIds);
					onLost?.(error.runIds);
					continue;
				}
				onFailure(error);
				if (!isRetryable(error)) return undefined;
				await sleep(retryMs, signal);
				if (signal.aborted) return undefined;
			}
		}
	}
}

/** Leaves out the events and states of runs. Receipts stay: what was called is to be paid, whoever has the run. */
const withoutRuns = ({ events, receipts, states = [] }: RunBatch, runIds: readonly string[]): RunBatch => ({
	events: events.filter(({ runId }) => !runIds.includes(runId)),
	receipts,
	states: states.filter(({ runId }) => !runIds.includes(runId)),
});
