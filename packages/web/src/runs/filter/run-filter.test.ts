import { describe, expect, it } from "vitest";
import { NO_FILTER, parseRunFilter, toRunListOptions } from "./run-filter";

describe("a filter of runs", () => {
	it("is sent with whole days of the reader", () => {
		expect(
			toRunListOptions({ agent: "ag_1", status: "failed", since: "2026-01-31", until: "2026-01-31" }),
		).toEqual({
			agent_id: "ag_1",
			status: "failed",
			since: new Date(2026, 0, 31).toISOString(),
			until: new Date(2026, 1, 1).toISOString(),
		});
		expect(toRunListOptions(NO_FILTER)).toEqual({});
	});

	it("is read from what the browser has stored, whatever that is", () => {
		const filter = { agent: "ag_1", status: "paused", since: "2026-01-31", until: "" };
		expect(parseRunFilter(filter)).toEqual(filter);
		for (const stored of [undefined, null, 7, "x", { status: "odd", since: "today", until: 3, agent: {} }])
			expect(parseRunFilter(stored)).toEqual(NO_FILTER);
	});
});
