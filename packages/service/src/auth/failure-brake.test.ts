import { expect, test } from "vitest";
import { createFailureBrake } from "./failure-brake";

function create() {
	const waits: number[] = [];
	const clock = { time: 0 };
	const brake = createFailureBrake({
		free: 2,
		maxMs: 300,
		forgetMs: 1000,
		now: () => clock.time,
		wait: async (ms) => void waits.push(ms),
	});
	return { brake, waits, clock };
}

test("who fails again and again waits longer and longer, up to a limit", async () => {
	const { brake, waits } = create();
	for (let failure = 0; failure < 6; failure++) await brake.fail("a");
	expect(waits).toEqual([100, 200, 300, 300]);
});

test("others do not wait, and what is forgotten or made good does not count", async () => {
	const { brake, waits, clock } = create();
	for (let failure = 0; failure < 2; failure++) await brake.fail("a");
	await brake.fail("b");
	brake.succeed("a");
	await brake.fail("a");
	await brake.fail("a");
	clock.time += 1001;
	await brake.fail("a");
	expect(waits).toEqual([]);
});
