import { clock, startBackgroundTimer } from "@stemma/core/internal";

/** Timer that sweeps again and again, as long as there is something to sweep. */
export class SweepTimer {
	readonly #intervalMs: number;
	readonly #sweep: (now: number) => boolean;
	#stop: (() => void) | undefined;
	#dueAt = 0;

	/** @param sweep - returns whether there is something left to sweep. */
	constructor(intervalMs: number, sweep: (now: number) => boolean) {
		this.#intervalMs = intervalMs;
		this.#sweep = sweep;
	}

	/** Schedules the next sweep, unless it is. Workers drop a timer with the request that it was set in: it is set again. */
	schedule(): void {
		const now = clock.now();
		if (this.#stop !== undefined && now - this.#dueAt < this.#intervalMs) return;
		this.#dueAt = now + this.#intervalMs;
		this.#stop = startBackgroundTimer(this.#intervalMs, () => {
			this.#stop = undefined;
			if (this.#sweep(clock.now())) this.schedule();
		});
	}

	stop(): void {
		this.#stop?.();
		this.#stop = undefined;
	}
}
