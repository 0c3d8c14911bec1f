import { clock } from "@stemma/core/internal";
/** Makes guessing slow: what fails again and again waits longer and longer for its answer. */
export interface FailureBrake {
	/** Counts a failure and waits, the longer the more there were lately. Whoever has the right secret never waits. */
	fail(who: string): Promise<void>;
	/** Forgets the failures. */
	succeed(who: string): void;
}

export interface FailureBrakeOptions {
	/** So many failures cost nothing. Default 5. */
	readonly free?: number;
	/** The longest wait. Default 2 s. */
	readonly maxMs?: number;
	/** After so long without one, failures are forgotten. Default 10 minutes. */
	readonly forgetMs?: number;
	readonly now?: () => number;
	readonly wait?: (ms: number) => Promise<void>;
}

interface Failures {
	count: number;
	last: number;
}

/** Of an answer to a wrong secret. */
const MAX_DELAY_MS = 2_000;
const FIRST_WAIT_MS = 100;
const MAX_NAMES = 10_000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export function createFailureBrake({
	free = 5,
	maxMs = MAX_DELAY_MS,
	forgetMs = 600_000,
	now = clock.now,
	wait = sleep,
}: FailureBrakeOptions = {}): FailureBrake {
	const failures = new Map<string, Failures>();
	function countOf(who: string): number {
		const known = failures.get(who);
		const count = known === undefined || now() - known.last > forgetMs ? 1 : known.count + 1;
		// Again, so that the map is in the order of the last failures.
		failures.delete(who);
		failures.set(who, { count, last: now() });
		const [oldest = ""] = failures.keys();
		if (failures.size > MAX_NAMES) failures.delete(oldest);
		return count;
	}
	return {
		async fail(who) {
			const over = countOf(who) - free;
			if (over > 0) await wait(Math.min(maxMs, FIRST_WAIT_MS * 2 ** (over - 1)));
		},
		succeed: (who) => void failures.delete(who),
	};
}
