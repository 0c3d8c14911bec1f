import { expect, test } from "vitest";
import { createLoginThrottle } from "./login-throttle";

function create() {
	const waits: number[] = [];
	const clock = { time: 0 };
	const throttle = createLoginThrottle({
		freeAttempts: 2,
		maxDelayMs: 300,
		resetAfterMs: 600_000,
		now: () => clock.time,
		delay: async (ms) => void waits.push(ms),
	});
	return { throttle, waits, clock };
}

test("who fails again and again waits longer and longer, up to a limit", async () => {
	const { throttle, waits } = create();
	for (let failure = 0; failure < 6; failure++) await throttle.recordFailure("a");
	expect(waits).toEqual([100, 200, 300, 300]);
});

test("others do not wait, and what is forgotten or made good does not count", async () => {
	const { throttle, waits, clock } = create();
	for (let failure = 0; failure < 2; failure++) await throttle.recordFailure("a");
	await throttle.recordFailure("b");
	throttle.reset("a");
	await throttle.recordFailure("a");
	await throttle.recordFailure("a");
	clock.time += 600_001;
	await throttle.recordFailure("a");
	expect(waits).toEqual([]);
});

test("who tries on all instances in turn waits as on one, until the secret is right", async () => {
	const counted = new Map<string, number>();
	const shared = {
		charge: (key: string, requests: number) => void counted.set(key, (counted.get(key) ?? 0) + requests),
		countRecent: (key: string) => counted.get(key) ?? 0,
	};
	const waits: number[] = [];
	const options = { shared, freeAttempts: 2, delay: async (ms: number) => void waits.push(ms) };
	const [first, second] = [createLoginThrottle(options), createLoginThrottle(options)];
	for (const throttle of [first, second, first, second]) await throttle.recordFailure("a");
	expect(waits).toEqual([100, 200]);
	first.reset("a");
	for (let failure = 0; failure < 3; failure++) await first.recordFailure("a");
	expect(waits).toEqual([100, 200, 100]);
});
