import type { Timeouts } from "./call-options";
import { TimeoutError, type TimeoutName } from "./errors";

/** Longer delays overflow and fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * How long the end of a body may take after its last event: the service ends it at once, and a connection whose body was
 * read to its end serves again.
 */
export const LINGER_MS = 1000;

/** Some time that must not pass without a sign of life. */
export interface Deadline {
	/** Epoch milliseconds of the last sign of life; infinite while none is due. To set it is cheap: no timer is set anew. */
	since: number;
	stop(): void;
}

/** Calls back when so many milliseconds have passed since the last sign of life, unless it is stopped before. */
export const startDeadline = (milliseconds: number, onMissed: () => void): Deadline =>
	new RunningDeadline(milliseconds, onMissed);

/** A class, as it takes less memory than closures do: streams have two of them. */
class RunningDeadline implements Deadline {
	since = Date.now();
	readonly #milliseconds: number;
	readonly #onMissed: () => void;
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(milliseconds: number, onMissed: () => void) {
		this.#milliseconds = milliseconds;
		this.#onMissed = onMissed;
		this.#look();
	}

	#look(): void {
		const left = Math.min(this.since - Date.now(), 0) + this.#milliseconds;
		if (left > 0) this.#timer = setTimeout(() => this.#look(), Math.min(left, LONGEST_TIMER));
		else this.#onMissed();
	}

	stop(): void {
		clearTimeout(this.#timer);
	}
}

/** The same for one of the timeouts, if it is set. */
export function startTimeout(
	timeouts: Partial<Timeouts>,
	name: TimeoutName,
	onMissed: (error: TimeoutError) => void,
): Deadline | undefined {
	const milliseconds = timeouts[name];
	if (milliseconds === undefined) return undefined;
	return startDeadline(milliseconds, () => onMissed(new TimeoutError(name, milliseconds)));
}
