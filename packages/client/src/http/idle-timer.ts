import { MAX_TIMER_MS } from "@stemma/core/internal";
import { TimeoutError, type TimeoutName } from "../errors/errors";
import type { Timeouts } from "../options/call-options";

/**
 * Timeout for the end of a body after its last event, in milliseconds: the service ends it at once, and a connection
 * whose body was read to its end can be reused.
 */
export const DRAIN_TIMEOUT_MS = 1000;

/** Some time that must not pass without a sign of life. */
export interface IdleTimer {
	/** Epoch milliseconds of the last sign of life; infinite while none is due. To set it is cheap: no timer is set anew. */
	lastActivityAt: number;
	stop(): void;
}

/** Starts a timer that calls `onTimeout` after so many milliseconds without activity, unless it is stopped before. */
export const startIdleTimer = (milliseconds: number, onTimeout: () => void): IdleTimer =>
	new RunningIdleTimer(milliseconds, onTimeout);

/** A class, as it takes less memory than closures do: streams have two of them. */
class RunningIdleTimer implements IdleTimer {
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
	return startIdleTimer(milliseconds, () => onTimeout(new TimeoutError(name, milliseconds)));
}
