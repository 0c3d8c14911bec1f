import type { WireRunEvent } from "@stemma/client";
import type { RunResult } from "@stemma/core";
import { describe, expect, it } from "vitest";
import { EMPTY_RUN_VIEW, type RunView, reduceRunView } from "./run-view";

const run_id = "run_1";
const at = (second: number): string => new Date(second * 1000).toISOString();
const result = (parts: Partial<RunResult>): RunResult => ({
	...{ run_id, status: "completed", output: null, citations: [], receipt: [] },
	usage: { input_tokens: 0, output_tokens: 0, model_calls: 0, steps: 0 },
	...parts,
});
const approval = { id: "apr_1", node: "mail", tool: "send", arguments: { to: "a" }, expires_at: at(99) };
const desk = { run_id, node: "desk", invocation: 1 };
const mail = { run_id, node: "mail", invocation: 2, parent: 1 };

const EVENTS: readonly WireRunEvent[] = [
	{ type: "run.started", run_id, seq: 1, at: at(1) },
	{ type: "node.started", ...desk, seq: 2, at: at(1), kind: "coordinator", mode: "start", input: "Hi" },
	{ type: "text.delta", ...desk, seq: 3, at: at(2), text: "I see", final: true },
	{ type: "text.reset", ...desk, seq: 4, at: at(2) },
	{ type: "tool.skipped", ...desk, seq: 5, at: at(2), callee: "fax", call_id: "c", reason: "There is none." },
	{
		type: "run.paused",
		run_id,
		seq: 6,
		at: at(3),
		result: result({ status: "paused", approvals: [approval] }),
	},
	{ type: "run.resumed", run_id, seq: 7, at: at(8) },
	{ type: "node.started", ...mail, seq: 8, at: at(8), kind: "tool", mode: "call", input: { to: "a" } },
	{
		...{ type: "node.completed", ...mail, seq: 9, at: at(9), output: "sent", ms: 1000 },
		usage: result({}).usage,
	},
	{ type: "text.delta", ...desk, seq: 10, at: at(9), text: "Done", final: true },
];

const reduce = (...events: readonly WireRunEvent[]): RunView => reduceRunView(EMPTY_RUN_VIEW, events);
const spansOf = ({ spans }: RunView) => [...spans.values()];

describe("the view of a run", () => {
	it("has a span for each invocation and each wait, with its depth and its times", () => {
		expect(spansOf(reduce(...EVENTS))).toMatchObject([
			{
				...{
					kind: "coordinator",
					node: "desk",
					depth: 0,
					startedAt: 1000,
					endedAt: undefined,
					status: "running",
				},
				skipped: [{ node: "fax", reason: "There is none." }],
				text: "I seeDone",
			},
			{ kind: "wait", startedAt: 3000, endedAt: 8000, status: "completed", approvals: [approval] },
			{ kind: "tool", node: "mail", depth: 1, startedAt: 8000, endedAt: 9000, output: "sent" },
		]);
	});

	it("is the same, wherever the events are cut", () => {
		const whole = reduce(...EVENTS);
		for (let index = 1; index < EVENTS.length; index += 1)
			expect(reduceRunView(reduce(...EVENTS.slice(0, index)), EVENTS.slice(index))).toEqual(whole);
	});

	it("has the answer without what was taken back, and waits with the calls to decide on", () => {
		expect(reduce(...EVENTS)).toMatchObject({ status: "running", text: "Done" });
		const paused = reduce(...EVENTS.slice(0, 6));
		expect([paused.status, paused.result?.approvals]).toEqual(["paused", [approval]]);
	});

	it("ends what was not over when the run ended", () => {
		const cancelled = reduce(...EVENTS, {
			...{ type: "run.cancelled", run_id, seq: 11, at: at(10), result: result({ status: "cancelled" }) },
		});
		expect(cancelled.status).toBe("cancelled");
		expect(spansOf(cancelled)[0]).toMatchObject({ status: "stopped", endedAt: 10_000 });
	});

	it("ignores kinds of events that only a newer service knows", () => {
		const unknown = { type: "node.dreamt", run_id, seq: 1, at: at(1) } as unknown as WireRunEvent;
		expect(reduce(unknown)).toMatchObject({ status: "running", events: [unknown] });
	});
});
