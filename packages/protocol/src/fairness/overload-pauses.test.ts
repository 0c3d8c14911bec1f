import { expect, test } from "vitest";
import { createOverloadPauses } from "./overload-pauses";

function createFixture() {
	const state = { ms: 0, busyShare: 0 };
	const pauses = createOverloadPauses({ now: () => state.ms, readBusyShare: () => state.busyShare });
	/** Lets some windows pass with this load. @returns the pause of the workspace after each. */
	function pass(windows: number, busyShare: number, waiting: Record<string, number>, workspace = "flood") {
		state.busyShare = busyShare;
		return Array.from({ length: windows }, () => {
			state.ms += 100;
			return pauses.find(workspace, new Map(Object.entries(waiting)));
		});
	}
	return { pauses, pass, state };
}

test("the workspace with the most waiting requests is slowed down more and more while the thread is overloaded", () => {
	const { pauses, pass } = createFixture();
	const found = pass(20, 0.9, { flood: 50, other: 20 });
	expect(found).toEqual(found.toSorted((one, other) => one - other));
	expect(found.at(-1)).toBeGreaterThan(20);
	expect(pauses.find("other", new Map())).toBe(0);
});

test("pauses have an upper bound, and shrink to nothing when there is time again", () => {
	const { pass } = createFixture();
	expect(pass(100, 1, { flood: 50 }).at(-1)).toBe(1000);
	const shrinking = pass(40, 0.1, { flood: 50 });
	expect(shrinking[0]).toBeLessThan(1000);
	expect(shrinking.at(-1)).toBe(0);
});

test("pauses shrink by all the time that has passed", () => {
	const { pauses, pass, state } = createFixture();
	pass(100, 1, { flood: 50 });
	state.busyShare = 0;
	state.ms += 10_000;
	expect(pauses.find("flood", new Map())).toBe(0);
});

test("few waiting requests are no flood, and none is slowed down while there is time for all", () => {
	const { pass } = createFixture();
	expect(pass(10, 1, { flood: 16, other: 2 })).toEqual(Array.from({ length: 10 }, () => 0));
	expect(pass(10, 0.2, { flood: 500 })).toEqual(Array.from({ length: 10 }, () => 0));
});

test("measures by itself how busy this thread is", async () => {
	const pauses = createOverloadPauses();
	const waiting = new Map([["flood", 50]]);
	// The share is read at the end of a window of which a part was before this test.
	for (let window = 0; window < 5 && pauses.find("flood", waiting) === 0; window++) {
		const startedMs = performance.now();
		while (performance.now() < startedMs + 110);
		await new Promise((resolve) => setImmediate(resolve));
	}
	expect(pauses.find("flood", waiting)).toBeGreaterThan(0);
});
