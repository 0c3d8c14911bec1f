import type { LoggedEvent, LoggedReceipt, RunBatch, RunStore } from "./run-store";

/** Writes what happens in runs to their store, and reports once it is there. */
export interface RunLog {
	append(event: LoggedEvent): void;
	appendReceipt(receipt: LoggedReceipt): void;
	/** Resolves once everything that was appended before is on the disk. */
	flushed(): Promise<void>;
	/** Ends the retries, before the file is closed: what the disk refuses from now on is reported and dropped. */
	close(): void;
}

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
 * One transaction at a time: while it is under way, what happens in all runs of the workspace gathers for the next. So
 * a busy workspace waits for the disk no more often than a quiet one.
 */
export function createRunLog(
	store: Pick<RunStore, "append">,
	{ onWritten, onFailure, isRetryable = () => true, retryMs = 500 }: RunLogOptions,
): RunLog {
	let events: LoggedEvent[] = [];
	let receipts: LoggedReceipt[] = [];
	let isWriting = false;
	const closing = new AbortController();
	/** Number of entries that were appended, and number that are on the disk or dropped, since the start. */
	let appended = 0;
	let written = 0;
	/** Waiters, in order of the sequence number that must be written for them. */
	const waiters: { readonly sequence: number; readonly resolve: () => void }[] = [];

	async function writeAll(): Promise<void> {
		// What happens in the same tick goes together.
		await Promise.resolve();
		while (events.length + receipts.length > 0) {
			const batch: RunBatch = { events, receipts };
			events = [];
			receipts = [];
			const isStored = await writeBatch(batch);
			written += batch.events.length + batch.receipts.length;
			if (isStored) onWritten(batch.events);
			// Not when all is written: in a busy workspace that may never be.
			while (waiters[0] !== undefined && waiters[0].sequence <= written) waiters.shift()?.resolve();
		}
		isWriting = false;
	}

	/** Writes a batch of events, and retries until it is written. Returns false if the batch was dropped. */
	async function writeBatch(batch: RunBatch): Promise<boolean> {
		const { signal } = closing;
		for (;;) {
			try {
				await store.append(batch);
				return true;
			} catch (error) {
				onFailure(error);
				if (!isRetryable(error)) return false;
				await sleep(retryMs, signal);
				if (signal.aborted) return false;
			}
		}
	}

	function write(): void {
		appended += 1;
		if (isWriting) return;
		isWriting = true;
		void writeAll();
	}

	return {
		append(event) {
			events.push(event);
			write();
		},
		appendReceipt(receipt) {
			receipts.push(receipt);
			write();
		},
		flushed: () =>
			new Promise((resolve) => {
				if (written >= appended) resolve();
				else waiters.push({ sequence: appended, resolve });
			}),
		close: () => closing.abort(),
	};
}

/** Resolves after a while, at once when the signal aborts. */
const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
	new Promise((resolve) => {
		if (signal.aborted) return resolve();
		const timer = setTimeout(end, milliseconds);
		function end(): void {
			clearTimeout(timer);
			signal.removeEventListener("abort", end);
			resolve();
		}
		signal.addEventListener("abort", end);
	});
