import { setTimeout as wait } from "node:timers/promises";
import { backoffDelayMs, clock } from "@stemma/core/internal";
import { createRateLimiter, type RateLimiter } from "./rate-limiter";

/** Makes guessing slow: what fails again and again waits longer and longer for its answer. */
export interface LoginThrottle {
	/** Counts a failure and waits, the longer the more there were lately. Whoever has the right secret never waits. */
	recordFailure(key: string): Promise<void>;
	/** Forgets the failures; other instances go on counting those of the last two minutes. */
	reset(key: string): void;
}

export interface LoginThrottleOptions {
	/** Counts the failures of all instances, in the last two minutes. Default: there is one instance. */
	readonly shared?: Pick<RateLimiter, "charge" | "countRecent">;
	/** Number of failures without a delay. Default 5. */
	readonly freeAttempts?: number;
	/** The longest wait. Default 2 s. */
	readonly maxDelayMs?: number;
	/** Time without a failure after which failures are forgotten, in milliseconds. Default 10 minutes. */
	readonly resetAfterMs?: number;
	readonly now?: () => number;
	readonly delay?: (ms: number) => Promise<unknown>;
}

interface Failures {
	count: number;
	last: number;
	/** Failures of all instances that were made good. */
	forgiven: number;
}

/** Maximum delay of a response to a wrong secret. */
const MAX_DELAY_MS = 2_000;
const MIN_DELAY_MS = 100;
const MAX_KEYS = 10_000;

export function createLoginThrottle({
	freeAttempts = 5,
	maxDelayMs = MAX_DELAY_MS,
	resetAfterMs = 600_000,
	now = clock.now,
	shared = createRateLimiter(now),
	delay = wait,
}: LoginThrottleOptions = {}): LoginThrottle {
	const failures = new Map<string, Failures>();
	function countFailure(key: string): number {
		const known = failures.get(key);
		const isCounting = known !== undefined && now() - known.last <= resetAfterMs;
		const { count, forgiven } = isCounting ? known : { count: 0, forgiven: 0 };
		shared.charge(key, 1);
		note(key, { count: count + 1, last: now(), forgiven });
		return Math.max(count + 1, shared.countRecent(key) - forgiven);
	}
	function note(key: string, noted: Failures): void {
		// Again, so that the map is in the order of the last failures.
		failures.delete(key);
		failures.set(key, noted);
		const [oldest = ""] = failures.keys();
		if (failures.size > MAX_KEYS) failures.delete(oldest);
	}
	return {
		async recordFailure(key) {
			const excess = countFailure(key) - freeAttempts;
			if (excess > 0) await delay(backoffDelayMs(excess, MIN_DELAY_MS, maxDelayMs));
		},
		reset(key) {
			if (failures.has(key)) note(key, { count: 0, last: now(), forgiven: shared.countRecent(key) });
		},
	};
}
