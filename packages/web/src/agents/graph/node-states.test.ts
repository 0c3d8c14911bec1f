import { describe, expect, it } from "vitest";
import type { RunSpan } from "../../runs/run-view";
import { findNodeStates } from "./node-states";

const span = (node: string, status: RunSpan["status"], kind: RunSpan["kind"] = "agent"): RunSpan => ({
	...{ id: node, kind, node, depth: 0, startedAt: 0, endedAt: undefined, status },
	...{ text: "", skipped: [], approvals: [] },
});

describe("the states of nodes", () => {
	it("are of the last invocation, and running while any is", () => {
		const states = findNodeStates([
			span("desk", "running"),
			span("law", "failed"),
			span("law", "completed"),
			span("desk", "completed"),
			span("", "running", "wait"),
		]);
		expect([...states]).toEqual([
			["desk", "running"],
			["law", "completed"],
		]);
	});
});
