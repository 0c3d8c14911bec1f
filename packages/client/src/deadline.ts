import type { Timeouts } from "./call-options";
import { TimeoutError, type TimeoutName } from "./errors";

/** Longer delays overflow and fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Some time that must not pass without a sign of life. */
export interface Deadline {
	/** Epoch milliseconds of the last sign of life; infinite while none is due. To set it is cheap: no timer is set anew. */
	since: number;
	stop(): void;
}

/** Calls back when so many milliseconds have passed since the last sign of life, unless it is stopped before. */
export function startDeadline(milliseconds: number, onMissed: () => void): Deadline {
	let timer: ReturnType<typeof setTimeout>;
	const deadline = { since: Date.now(), stop: () => clearTimeout(timer) };
	function look(): void {
		const left = deadline.since + milliseconds - Date.now();
		if (left > 0) wait(left);
		else onMissed();
	}
	function wait(left: number): void {
		timer = setTimeout(look, Math.min(left, milliseconds, LONGEST_TIMER));
	}
	wait(milliseconds);
	return deadline;
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
