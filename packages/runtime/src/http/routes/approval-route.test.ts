import { ApiError, type WireRunEvent } from "@stemma/client";
import type { AgentGraph, ChatEvent, ChatModel } from "@stemma/core";
import { defineTool, type LocalPorts } from "@stemma/local";
import { started } from "@stemma/simulators/run-events";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
	createTestRuntime,
	followEvents,
	readEvents,
	STREAMED,
	scriptedRemote,
} from "../../test-support/scripted";

const graph: AgentGraph = {
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "refund", kind: "tool", tool: "refund", approval: true },
		{ id: "credit", kind: "tool", tool: "refund", approval: true },
	],
	edges: [
		{ from: "desk", to: "refund" },
		{ from: "desk", to: "credit" },
	],
};

/** Calls the tools that it is asked to, and says what they gave. */
function callingPorts(): LocalPorts {
	const model: ChatModel = {
		provider: "scripted",
		model: "script-1",
		vendorHost: "",
		generate: () => Promise.reject(new Error("not used")),
		async *stream({ messages }): AsyncGenerator<ChatEvent> {
			const results = messages.filter(({ role }) => role === "tool").map(({ content }) => content);
			const words = (messages.at(-1)?.content ?? "").split(" ");
			const text = results.join(", ");
			const toolCalls =
				results.length > 0
					? []
					: words.map((name, n) => ({ id: `call_${n}`, name, arguments: JSON.stringify({ order: "7" }) }));
			const finishReason = results.length > 0 ? "stop" : "tool_calls";
			if (text !== "") yield { type: "text.delta", text };
			yield { type: "finish", reply: { text, toolCalls, finishReason } } as ChatEvent;
		},
	};
	return { models: { resolve: () => ({ model, payer: "none", reason: "In the test." }) } };
}

const calls: unknown[] = [];
const refund = defineTool<{ order: string }>({
	parameters: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
	run: (args) => {
		calls.push(args);
		return `Refunded ${args.order}.`;
	},
});

const start = () => createTestRuntime({ agents: { desk: graph }, ports: callingPorts(), tools: { refund } });

async function pausedRun(runtime: Awaited<ReturnType<typeof start>>, input = "refund") {
	calls.length = 0;
	const result = await (await runtime.post("/run/desk", { input })).json();
	expect(result).toMatchObject({ status: "paused" });
	const ids: string[] = result.approvals.map(({ id }: { id: string }) => id);
	const path = (index = 0): string => `/runs/${result.run_id}/approvals/${ids[index]}`;
	return { id: result.run_id as string, approvals: result.approvals, path };
}

afterEach(() => vi.useRealTimers());

describe("POST /runs/:id/approvals/:approval_id", () => {
	it("lets the run go on as it was approved, and its stream goes on behind the pause", async () => {
		const runtime = await start();
		const first = await readEvents(await runtime.post("/run/desk", { input: "refund" }, STREAMED));
		const paused = first.at(-1);
		if (paused?.type !== "run.paused") throw new Error("It did not pause.");
		expect(paused.result).toMatchObject({
			status: "paused",
			approvals: [{ node: "refund", tool: "refund", arguments: { order: "7" } }],
		});
		const id = paused.run_id;
		const afterPause = await runtime.get(`/runs/${id}/events?after=${paused.seq}`, STREAMED);
		const rest = (async () => {
			const events: WireRunEvent[] = [];
			for await (const event of followEvents(afterPause)) events.push(event);
			return events;
		})();
		const path = `/runs/${id}/approvals/${paused.result.approvals?.[0]?.id}`;
		const answer = await runtime.post(path, { decision: "approve" });
		expect(answer.status).toBe(200);
		expect(await answer.json()).toMatchObject({ id, agent_id: "desk", agent_version: 1 });
		const events = await rest;
		expect(events[0]).toMatchObject({ type: "run.resumed", seq: paused.seq + 1 });
		expect(events.at(-1)).toMatchObject({ type: "run.completed", result: { output: "Refunded 7." } });
		expect(calls.at(-1)).toEqual({ order: "7" });
		const whole = await readEvents(await runtime.get(`/runs/${id}/events`, STREAMED));
		expect(whole.map(({ seq }) => seq)).toEqual(whole.map((_, index) => index + 1));
		expect(whole).toEqual([...first, ...events]);
	});

	it("denies with the reason, which the model is told", async () => {
		const runtime = await start();
		const run = await pausedRun(runtime);
		await runtime.post(run.path(), { decision: "deny", reason: "Too much." });
		const events = await readEvents(await runtime.get(`/runs/${run.id}/events`, STREAMED));
		expect(events.at(-1)).toMatchObject({
			type: "run.completed",
			result: { output: expect.stringContaining("Too much.") },
		});
		expect(calls).toEqual([]);
	});

	it("takes the same decision again, and no other", async () => {
		const runtime = await start();
		const run = await pausedRun(runtime);
		for (const _ of [1, 2])
			expect((await runtime.post(run.path(), { decision: "approve" })).status).toBe(200);
		const other = await runtime.post(run.path(), { decision: "deny" });
		expect([other.status, (await other.json()).error.code]).toEqual([409, "approval_decided"]);
		expect(calls).toHaveLength(1);
	});

	it("takes many decisions at once, each one time", async () => {
		const runtime = await start();
		const run = await pausedRun(runtime, "refund credit");
		expect(run.approvals).toHaveLength(2);
		const answers = await Promise.all(
			[0, 1, 0, 1].map((index) => runtime.post(run.path(index), { decision: "approve" })),
		);
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
		await vi.waitFor(async () => {
			const page = await (await runtime.get(`/runs/${run.id}/events`)).json();
			expect(page.data.at(-1)).toMatchObject({ type: "run.completed" });
		}, 30_000);
		expect(calls).toHaveLength(2);
	});

	it("pauses again with the approvals that are still open", async () => {
		const runtime = await start();
		const run = await pausedRun(runtime, "refund credit");
		await runtime.post(run.path(1), { decision: "approve" });
		const [again] = (await readEvents(await runtime.get(`/runs/${run.id}/events?after=1`, STREAMED))).slice(
			-1,
		);
		expect(again).toMatchObject({ type: "run.paused", result: { approvals: [{ id: run.approvals[0].id }] } });
		await runtime.post(run.path(0), { decision: "deny" });
		const events = await readEvents(
			await runtime.get(`/runs/${run.id}/events?after=${again?.seq}`, STREAMED),
		);
		expect(events.at(-1)).toMatchObject({ type: "run.completed" });
		expect(calls).toHaveLength(1);
	});

	it.each([
		[{}, 400, "invalid_request"],
		[{ decision: "yes" }, 400, "invalid_request"],
		[{ decision: "deny", reason: 1 }, 400, "invalid_request"],
		[{ decision: "deny", reason: "a".repeat(1001) }, 400, "invalid_request"],
		[{ decision: "deny", why: "no" }, 400, "unknown_field"],
		["[]", 400, "invalid_request"],
	])("refuses %j, and the run still waits", async (body, status, code) => {
		const runtime = await start();
		const run = await pausedRun(runtime);
		const answer = await runtime.post(run.path(), body);
		expect([answer.status, (await answer.json()).error.code]).toEqual([status, code]);
		expect((await runtime.post(run.path(), { decision: "approve" })).status).toBe(200);
	});

	it("knows no other runs and approvals", async () => {
		const runtime = await start();
		const run = await pausedRun(runtime);
		for (const [path, code] of [
			["/runs/run_x/approvals/apr_1", "run_not_found"],
			[`/runs/${run.id}/approvals/apr_x`, "approval_not_found"],
		] as const) {
			const answer = await runtime.post(path, { decision: "approve" });
			expect([answer.status, (await answer.json()).error.code]).toEqual([404, code]);
		}
		expect((await runtime.get(run.path())).status).toBe(405);
	});
});

describe("a run that waits", () => {
	it("expires after 7 days as denied, is not cancelled as unwatched, and a late decision is refused", async () => {
		vi.useFakeTimers();
		const runtime = await start();
		const run = await pausedRun(runtime);
		await vi.advanceTimersByTimeAsync(1_300_000);
		expect((await (await runtime.get(`/runs/${run.id}/events`)).json()).data.at(-1).type).toBe("run.paused");
		vi.setSystemTime(Date.parse(run.approvals[0].expires_at) + 1);
		const late = await runtime.post(run.path(), { decision: "approve" });
		expect([late.status, (await late.json()).error.code]).toEqual([410, "approval_expired"]);
		await vi.advanceTimersByTimeAsync(2_000);
		const { data } = await (await runtime.get(`/runs/${run.id}/events`)).json();
		expect(data.at(-1)).toMatchObject({ type: "run.completed" });
		expect(calls).toEqual([]);
	});

	it("is cancelled at once", async () => {
		const runtime = await start();
		const run = await pausedRun(runtime);
		const record = await (await runtime.post(`/runs/${run.id}/cancel`)).json();
		expect(record).toMatchObject({ status: "cancelled", result: { status: "cancelled" } });
		const answer = await runtime.post(run.path(), { decision: "approve" });
		expect([answer.status, (await answer.json()).error.code]).toEqual([409, "run_ended"]);
		expect(calls).toEqual([]);
	});

	it("gets a last event when the runtime is stopped", async () => {
		const runtime = await start();
		const run = await pausedRun(runtime);
		const afterPause = await runtime.get(`/runs/${run.id}/events?after=${99}`, STREAMED);
		const closing = runtime.close(0);
		await closing;
		const [last] = (await readEvents(await runtime.get(`/runs/${run.id}/events`, STREAMED))).slice(-1);
		expect(last).toMatchObject({ type: "run.failed", error: { code: "runtime_stopped" } });
		expect(last).toMatchObject({ result: { usage: { model_calls: 1 } } });
		await afterPause.body?.cancel();
	});
});

describe("a task by A2A whose run waits", () => {
	async function pausedTask() {
		calls.length = 0;
		const runtime = await start();
		const send = async (method: string, params: object) => {
			const body = { jsonrpc: "2.0", id: 1, method, params };
			return (await runtime.post("/a2a/desk", body, { "a2a-version": "1.0" })).json();
		};
		const call = async (method: string, params: object) => (await send(method, params)).result;
		const message = { messageId: "m-1", role: "ROLE_USER", parts: [{ text: "refund" }] };
		const { task } = await call("SendMessage", { message });
		expect(task.status.state).toBe("TASK_STATE_AUTH_REQUIRED");
		const { approvals } = task.status.message.parts.at(-1).data;
		const toMessage = (parts: readonly object[]) => ({
			message: { messageId: "m-2", role: "ROLE_USER", taskId: task.id, parts },
		});
		return { runtime, send, call, task, approvals, toMessage };
	}

	it("takes a decision within a message, once", async () => {
		const { call, task, approvals, toMessage } = await pausedTask();
		const decision = { data: { approval_id: approvals[0].id, decision: "approve" } };
		const [first, second] = await Promise.all([
			call("SendMessage", toMessage([decision])),
			call("SendMessage", toMessage([decision])),
		]);
		for (const answer of [first, second])
			expect(answer.task).toMatchObject({
				id: task.id,
				status: { state: "TASK_STATE_COMPLETED" },
				artifacts: [{ parts: [{ text: "Refunded 7." }] }],
			});
		expect(calls).toHaveLength(1);
	});

	it("answers any other message, and keeps waiting", async () => {
		const { call, send, task, toMessage } = await pausedTask();
		const answer = await call("SendMessage", toMessage([{ text: "Please!" }]));
		expect(answer.task.status).toMatchObject({
			state: "TASK_STATE_AUTH_REQUIRED",
			message: { parts: [{ text: expect.stringContaining("Decide with POST") }, {}] },
		});
		const unknown = await send(
			"SendMessage",
			toMessage([{ data: { approval_id: "apr_99", decision: "deny" } }]),
		);
		expect(unknown.error.data[0].metadata.code).toBe("approval_not_found");
		expect((await call("GetTask", { id: task.id })).status.state).toBe("TASK_STATE_AUTH_REQUIRED");
		expect(calls).toEqual([]);
	});

	it("goes on after a decision at the runtime's own route", async () => {
		const { runtime, call, task, approvals } = await pausedTask();
		await runtime.post(`/runs/${task.id}/approvals/${approvals[0].id}`, { decision: "approve" });
		await expect
			.poll(async () => (await call("GetTask", { id: task.id })).status.state)
			.toBe("TASK_STATE_COMPLETED");
		const { artifacts } = await call("GetTask", { id: task.id });
		expect(artifacts[0].parts[0].text).toBe("Refunded 7.");
	});
});

describe("a manifest whose run waits", () => {
	const ID = "run_far";
	const AT = "2026-01-02T03:04:05.678Z";
	const approval = {
		id: "apr_2",
		node: "refund",
		tool: "refund",
		arguments: {},
		expires_at: "2999-01-01T00:00:00Z",
	};
	const usage = { input_tokens: 1, output_tokens: 1, model_calls: 1, steps: 1 };
	const result = {
		run_id: ID,
		status: "completed",
		output: "Done.",
		citations: [],
		usage,
		receipt: [],
	} as const;
	const paused: WireRunEvent = {
		type: "run.paused",
		run_id: ID,
		seq: 2,
		at: AT,
		result: { ...result, status: "paused", output: null, approvals: [approval] },
	};

	it("passes the decision on, and its events go on", async () => {
		const decided: unknown[] = [];
		const remote = {
			...scriptedRemote(async function* () {
				yield started(ID);
				yield paused;
			}),
			decide: async (...decision: unknown[]) => void decided.push(decision),
			async *follow(runId: string, after: number): AsyncGenerator<WireRunEvent> {
				decided.push([runId, after]);
				yield { type: "run.resumed", run_id: ID, seq: 3, at: AT };
				yield { type: "run.completed", run_id: ID, seq: 4, at: AT, result };
			},
		};
		const runtime = await createTestRuntime({ agents: { far: { remoteAgentId: "ag_1" } }, remote });
		await runtime.post("/run/far", { input: "hi" });
		const answer = await runtime.post(`/runs/${ID}/approvals/apr_2`, { decision: "deny", reason: "No." });
		expect(answer.status).toBe(200);
		const events = await readEvents(await runtime.get(`/runs/${ID}/events?after=2`, STREAMED));
		expect(events.map(({ type }) => type)).toEqual(["run.resumed", "run.completed"]);
		expect(decided).toEqual([
			[ID, { approval_id: "apr_2", decision: "deny", reason: "No." }],
			[ID, 2],
		]);
	});

	it("names the scope that deciding needs where the service refuses this runtime", async () => {
		const remote = {
			...scriptedRemote(async function* () {
				yield started(ID);
				yield paused;
			}),
			decide: () => Promise.reject(new ApiError({ status: 403, code: "missing_scope", message: "No." })),
		};
		const runtime = await createTestRuntime({ agents: { far: { remoteAgentId: "ag_1" } }, remote });
		await runtime.post("/run/far", { input: "hi" });
		const answer = await runtime.post(`/runs/${ID}/approvals/apr_2`, { decision: "approve" });
		expect({ status: answer.status, body: await answer.json() }).toMatchObject({
			status: 502,
			body: { error: { code: "upstream_refused", hint: expect.stringContaining("(runs:approve)") } },
		});
	});
});
