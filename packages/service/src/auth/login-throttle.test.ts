import { expect, test } from "vitest";
import { createLoginThrottle } from "./login-throttle";

function create() {
	const waits: number[] = [];
	const clock = { time: 0 };
	const throttle = createLoginThrottle({
		freeAttempts: 2,
		maxDelayMs: 300,
		resetAfterMs: 1000,
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
	clock.time += 1001;
	await throttle.recordFailure("a");
	expect(waits).toEqual([]);
});
