import type { WireRunEvent } from "@stemma/client";
import type { RunResult } from "@stemma/core";
import { describe, expect, it } from "vitest";
import type { Caller } from "../auth/caller";
import { canSeeInput, toVisibleEvent, toVisibleResult, visibilityOf } from "./visibility";

const result: RunResult = {
	run_id: "run_1",
	status: "failed",
	output: null,
	citations: [],
	usage: { input_tokens: 1, output_tokens: 2, model_calls: 1, steps: 2 },
	receipt: [
		{
			stage: "answer",
			payer: "deployment",
			provider: "openai-compatible",
			vendor_host: "models.example",
			model: "m",
			input_tokens: 1,
			output_tokens: 2,
			ms: 3,
			attempts: 1,
			reason: "It pays.",
		},
	],
	error: { code: "tool_failed", message: 'The node "refund" said: card 4711.', details: { node: "refund" } },
};

const base = { run_id: "run_1", seq: 1, at: "2026-01-01T00:00:00.000Z" };
const ofNode = { ...base, node: "desk", invocation: 1 };

const EVENTS: readonly (readonly [WireRunEvent, boolean])[] = [
	[{ ...base, type: "run.started" }, true],
	[{ ...ofNode, type: "node.started", kind: "coordinator", mode: "start", input: "secret" }, false],
	[{ ...ofNode, type: "text.delta", text: "a", final: true }, true],
	[{ ...ofNode, type: "text.delta", text: "a", final: false }, false],
	[{ ...ofNode, type: "text.reset" }, true],
	[{ ...ofNode, type: "reasoning.delta", text: "hm" }, false],
	[{ ...ofNode, type: "tool.called", callee: "refund", call_id: "1", arguments: { card: 4711 } }, false],
	[{ ...base, type: "run.completed", result }, true],
];

describe("what a browser sees of a run", () => {
	it.each(EVENTS)("%j: %s", (event, isSeen) => {
		expect(toVisibleEvent(event, "answer") !== undefined).toBe(isSeen);
		expect(toVisibleEvent(event, "trace")).toBe(event);
	});

	it("holds no receipt and nothing of what failed inside", () => {
		const failed = toVisibleEvent(
			{ ...base, type: "run.failed", error: result.error ?? { code: "", message: "" }, result },
			"answer",
		);
		expect(JSON.stringify(failed)).not.toMatch(/4711|refund|models\.example|It pays/);
		expect(failed).toMatchObject({
			error: { code: "tool_failed", hint: expect.stringContaining("stemma runs show run_1") },
			result: { receipt: [], status: "failed" },
		});
		expect(toVisibleResult(result, "receipt")).toBe(result);
	});
});

it("whoever sees who pays sees what a run waits for, too", () => {
	const approvals = [
		{ id: "apr_1", node: "refund", tool: "refund", arguments: { card: 4711 }, expires_at: "" },
	];
	const paused: RunResult = { ...result, status: "paused", approvals };
	const event: WireRunEvent = { ...base, type: "run.paused", result: { ...paused, status: "paused" } };
	expect(JSON.stringify(toVisibleEvent(event, "answer"))).not.toMatch(/4711|refund/);
	expect(toVisibleEvent(event, "receipt")).toMatchObject({ result: { approvals } });
});

it("whoever started a run sees its input, and so does whoever sees everything", () => {
	const client: Caller = { kind: "client", id: "cl_1", workspaceId: "ws_1", scopes: ["agents:run"] };
	const run = { started_by: "cl_1", within: null };
	expect(canSeeInput(client, run)).toBe(true);
	expect(canSeeInput({ ...client, id: "cl_2" }, run)).toBe(false);
	expect(canSeeInput(client, { ...run, within: "run_0" })).toBe(false);
	expect(canSeeInput({ ...client, id: "cl_2", scopes: ["agents:trace"] }, run)).toBe(true);
});

describe("visibilityOf", () => {
	const client: Caller = { kind: "client", id: "cl_1", workspaceId: "ws_1", scopes: ["agents:run"] };
	it("asks the scopes of servers", () => {
		expect(visibilityOf(client)).toBe("receipt");
		expect(visibilityOf({ ...client, scopes: ["agents:run", "agents:trace"] })).toBe("trace");
	});
});
