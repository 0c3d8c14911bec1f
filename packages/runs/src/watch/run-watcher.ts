import type { EventRecord } from "../store/event-record";
import type { RunChangeListener } from "./run-feed";

/** Characters of events that are held for one watcher; a slower one reads the store. Thousands may watch and never read. */
const MAX_PENDING_LENGTH = 100_000;

/** Watcher of one run: holds the batches that were written until they are taken. */
export class RunWatcher implements RunChangeListener {
	/** Undefined while it has to read the store. */
	#batches: (readonly EventRecord[])[] | undefined;
	#pendingLength = 0;
	#hasChanged = false;
	#resolve: (() => void) | undefined;

	onChange(batch: readonly EventRecord[] = []): void {
		if (this.#batches !== undefined) this.#hold(batch, this.#batches);
		this.#hasChanged = true;
		this.#resolve?.();
	}

	onMissed(): void {
		this.#batches = undefined;
		this.#hasChanged = true;
		this.#resolve?.();
	}

	#hold(batch: readonly EventRecord[], batches: (readonly EventRecord[])[]): void {
		for (const { json } of batch) this.#pendingLength += json.length;
		if (this.#pendingLength > MAX_PENDING_LENGTH) this.#batches = undefined;
		else if (batch.length > 0) batches.push(batch);
	}

	/**
	 * Takes the batches that were written since the last call, oldest first. Undefined the first time, and after it was too
	 * slow for them: then the store has what it has not seen.
	 */
	take(): readonly (readonly EventRecord[])[] | undefined {
		const batches = this.#batches;
		this.#batches = [];
		this.#pendingLength = 0;
		return batches;
	}

	/** Resolves when there is a change since the last time, or when the signal aborts. */
	async waitForChange(signal: AbortSignal): Promise<void> {
		if (!this.#hasChanged && !signal.aborted)
			await new Promise<void>((resolve) => {
				this.#resolve = resolve;
				signal.addEventListener("abort", this.#onAbort);
			});
		signal.removeEventListener("abort", this.#onAbort);
		this.#resolve = undefined;
		this.#hasChanged = false;
	}

	readonly #onAbort = (): void => this.#resolve?.();
}
