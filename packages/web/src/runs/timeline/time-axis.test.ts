import { describe, expect, it } from "vitest";
import type { RunSpan } from "../run-view";
import { createTimeAxis } from "./time-axis";

const span = (startedAt: number, endedAt: number | undefined, kind: RunSpan["kind"] = "agent"): RunSpan => ({
	...{ id: `${startedAt}`, kind, node: "a", depth: 0, startedAt, endedAt, status: "completed" },
	...{ text: "", skipped: [], approvals: [] },
});

describe("the axis of a run", () => {
	it("is in proportion to time", () => {
		const axis = createTimeAxis([span(1000, 3000), span(1000, 2000)], 3000);
		expect([axis(1000), axis(2000), axis(3000), axis(9000), axis(0)]).toEqual([0, 0.5, 1, 1, 0]);
	});

	it("shortens the wait for people, also one that goes on", () => {
		const day = 86_400_000;
		const axis = createTimeAxis([span(0, day + 1000), span(500, day + 500, "wait")], day + 1000);
		expect(axis(500)).toBeCloseTo(500 / 1200);
		expect(axis(day + 500)).toBeCloseTo(700 / 1200);
		const open = createTimeAxis([span(0, undefined), span(1000, undefined, "wait")], day);
		expect(open(1000)).toBeCloseTo(1 / 1.2);
	});

	it("has places for a run without time", () => {
		expect(createTimeAxis([span(5, 5)], 5)(5)).toBe(0);
		expect(createTimeAxis([], 5)(5)).toBe(0);
	});
});
