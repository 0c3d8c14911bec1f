import { MAX_TIMER_MS } from "@stemma/core/internal";
import { TimeoutError, type TimeoutName } from "../errors/errors";
import type { Timeouts } from "../options/call-options";

/**
 * Timeout for the end of a body after its last event, in milliseconds: the service ends it at once, and a connection
 * whose body was read to its end can be reused.
 */
export const DRAIN_TIMEOUT_MS = 1000;

/** Timer that calls `onTimeout` after so many milliseconds without a sign of life, unless it is stopped before. */
export class IdleTimer {
	/** Epoch milliseconds of the last sign of life; infinite while none is due. To set it is cheap: no timer is set anew. */
	lastActivityAt = Date.now();
	readonly #milliseconds: number;
	readonly #onTimeout: () => void;
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(milliseconds: number, onTimeout: () => void) {
		this.#milliseconds = milliseconds;
		this.#onTimeout = onTimeout;
		this.#check();
	}

	#check(): void {
		const remainingMs = Math.min(this.lastActivityAt - Date.now(), 0) + this.#milliseconds;
		if (remainingMs > 0) this.#timer = setTimeout(() => this.#check(), Math.min(remainingMs, MAX_TIMER_MS));
		else this.#onTimeout();
	}

	stop(): void {
		clearTimeout(this.#timer);
	}
}

/** Starts an idle timer for one of the timeouts, if it is set. */
export function startTimeout(
	timeouts: Partial<Timeouts>,
	name: TimeoutName,
	onTimeout: (error: TimeoutError) => void,
): IdleTimer | undefined {
	const milliseconds = timeouts[name];
	if (milliseconds === undefined) return undefined;
	return new IdleTimer(milliseconds, () => onTimeout(new TimeoutError(name, milliseconds)));
}
