import type { AgentEdge, AgentGraph, AgentNode, ApprovalDecision, RunEvent, RunResult } from "@stemma/core";
import { describe, expect, it } from "vitest";
import type { EngineRun, SerializedRun, ToolPort } from "../index";
import { checkRun } from "../test-support/check-run";
import { calls, createScripted, manualHost, type Script, scriptedAgents } from "../test-support/scripted";

const DAY = 24 * 60 * 60 * 1000;
const desk: AgentNode = { id: "desk", kind: "coordinator" };
const pay: AgentNode = { id: "pay", kind: "tool", tool: "pay", arguments: { by: "desk" }, approval: true };
const legal: AgentNode = { id: "legal", kind: "remote", url: "https://a.example", approval: true };
const ask: AgentNode = { id: "ask", kind: "agent" };
const edge = (to: string, mode: "call" | "before" | "then" | "handoff" = "call"): AgentEdge => ({
	from: "desk",
	to,
	mode,
});

/** An engine over tools that note what they were called with; saves go through JSON. */
function createFixture(graph: AgentGraph, script: Script) {
	const host = manualHost();
	const paid: unknown[] = [];
	const tools: ToolPort = {
		describe: async () => ({
			parameters: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
		}),
		async call({ arguments: args }) {
			paid.push(args);
			return "paid";
		},
	};
	const agents = scriptedAgents({ legal: "Fine." });
	const events: RunEvent[] = [];
	const onEvent = (event: RunEvent): number => events.push(event);
	const { engine, requests } = createScripted(graph, { host, script, ports: { tools, agents } });
	const start = (input: object | string = "hello"): EngineRun => engine.start({ input, onEvent });
	const resume = (saved: SerializedRun, decisions: readonly ApprovalDecision[] = [], signal?: AbortSignal) =>
		engine.resume(JSON.parse(JSON.stringify(saved)), { decisions, onEvent, signal });
	return { host, paid, agents, events, requests, start, resume };
}

const approve = (approval_id: string): ApprovalDecision => ({ approval_id, decision: "approve" });

describe("a node with approval", () => {
	it.each([
		["called", edge("pay"), { desk: [calls(["pay", "7"]), "Done."] }, "Done."],
		["run before", edge("pay", "before"), { desk: ["Done."] }, "Done."],
		["run after", edge("pay", "then"), { desk: ["7"] }, "paid"],
		["handed over to", edge("pay", "handoff"), { desk: [calls(["pay", "7"])] }, "paid"],
	])(
		"that is %s waits, and is called with exactly these arguments once it is approved",
		async (_, to, script, output) => {
			const { paid, events, start, resume } = createFixture({ nodes: [desk, pay], edges: [to] }, script);
			const run = start("7");
			const paused = await run.result;
			checkRun(events, paused);
			const approval = {
				id: "apr_2",
				node: "pay",
				tool: "pay",
				arguments: { input: "7", by: "desk" },
				expires_at: new Date(1_000_000 + 7 * DAY).toISOString(),
			};
			expect([paused.status, paused.approvals, paid]).toEqual(["paused", [approval], []]);
			const result = await resume(run.serialize(), [approve("apr_2")]).result;
			checkRun(events, result);
			expect([result.status, result.output, paid]).toEqual([
				"completed",
				output,
				[{ input: "7", by: "desk" }],
			]);
			expect(result.approvals).toBeUndefined();
		},
	);

	const context = { customer: "Ada" };
	it.each([
		["nothing where there is none", { agentId: "ag_1" }, {}, {}],
		["nothing to others", { url: "https://a.example" }, { context }, {}],
		["it", { agentId: "ag_1" }, { context }, { context }],
		[
			"that it is not to be trusted",
			{ agentId: "ag_1" },
			{ context, untrustedContext: true },
			{ context, untrusted_context: true },
		],
	])("that is an agent shows of the context that goes along: %s", async (_, target, options, shown) => {
		const node: AgentNode = { id: "legal", kind: "remote", ...target, approval: true };
		const { engine } = createScripted({ nodes: [desk, node], edges: [edge("legal", "before")] }, {});
		const { approvals } = await engine.start({ input: "Hi", ...options }).result;
		expect(approvals?.map(({ arguments: args }) => args)).toEqual([{ input: "Hi", ...shown }]);
	});

	it("lets its siblings go on, and all that are open are told at once", async () => {
		const graph = { nodes: [desk, pay, legal, ask], edges: [edge("pay"), edge("legal"), edge("ask")] };
		const script = {
			desk: [calls(["pay", "1"], ["legal", "2"], ["ask", "3"], ["pay", "4"]), "Done."],
			ask: ["So."],
		};
		const { agents, events, paid, requests, start, resume } = createFixture(graph, script);
		const run = start();
		const paused = await run.result;
		expect(paused.approvals?.map(({ id, tool, arguments: args }) => [id, tool, args])).toEqual([
			["apr_2", "pay", { input: "1", by: "desk" }],
			["apr_3", "https://a.example", { input: "2" }],
			["apr_5", "pay", { input: "4", by: "desk" }],
		]);
		expect(paused).toMatchObject({ output: null, usage: { model_calls: 2, steps: 7 } });
		expect(events.filter(({ type }) => type === "node.completed")).toHaveLength(1);
		const second = resume(run.serialize(), [
			approve("apr_3"),
			{ ...approve("apr_2"), decision: "deny", reason: "Too much." },
		]);
		const still = await second.result;
		expect(still.approvals?.map(({ id }) => id)).toEqual(["apr_5"]);
		const result = await resume(second.serialize(), [approve("apr_5")]).result;
		expect([result.output, paid.length, agents.requests.length]).toEqual(["Done.", 1, 1]);
		expect(requests[2]?.messages.slice(2).map(({ content }) => content)).toEqual([
			'approval_denied: "pay" was not called: a person denied it. Reason: Too much.',
			"Fine.",
			"So.",
			"paid",
		]);
		expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
		const ofRun = events.flatMap(({ type }) => (type.startsWith("run.") ? [type] : []));
		expect(ofRun.join(" ")).toBe("run.started run.paused run.resumed run.paused run.resumed run.completed");
	});

	it.each([
		[7 * DAY - 1, "completed", "paid"],
		[7 * DAY, "failed", null],
	])("that is approved %s ms after it was asked for: %s", async (later, status, output) => {
		const { host, start, resume } = createFixture(
			{ nodes: [desk, pay], edges: [edge("pay", "then")] },
			{ desk: ["7"] },
		);
		const run = start();
		await run.result;
		host.advance(later);
		const result = await resume(run.serialize(), [approve("apr_2")]).result;
		expect([result.status, result.output]).toEqual([status, output]);
		if (status === "failed")
			expect(result.error).toMatchObject({
				code: "approval_denied",
				message: expect.stringContaining("expired: nobody decided within 7 days"),
			});
	});

	it.each([
		["in time, to a run that goes on late", 7 * DAY - 1, "completed"],
		["a moment too late", 7 * DAY, "failed"],
	])("that is decided %s", async (_, later, status) => {
		const graph = { nodes: [desk, pay], edges: [edge("pay", "then")] };
		const { host, start, resume } = createFixture(graph, { desk: ["7"] });
		const run = start();
		await run.result;
		host.advance(30 * DAY);
		const decided_at = new Date(1_000_000 + later).toISOString();
		const result = await resume(run.serialize(), [{ ...approve("apr_2"), decided_at }]).result;
		expect([result.status, result.error?.code]).toEqual([
			status,
			status === "failed" ? "approval_denied" : undefined,
		]);
	});

	it("that is approved in time stays so in a run that is saved before it takes note", async () => {
		const graph = { nodes: [desk, pay], edges: [edge("pay", "then")] };
		const { host, start, resume } = createFixture(graph, { desk: ["7"] });
		const run = start();
		await run.result;
		const saved = resume(run.serialize(), [approve("apr_2")], AbortSignal.timeout(1000)).serialize();
		host.advance(30 * DAY);
		expect((await resume(saved).result).status).toBe("completed");
	});

	it("is denied, without a decision, once it has expired", async () => {
		const graph = { nodes: [desk, pay], edges: [edge("pay")] };
		const { host, start, resume, requests } = createFixture(graph, { desk: [calls(["pay", "7"]), "Done."] });
		const run = start();
		await run.result;
		host.advance(8 * DAY);
		expect((await resume(run.serialize()).result).status).toBe("completed");
		expect(requests[1]?.messages.at(-1)).toMatchObject({ isError: true });
	});

	it.each([
		[120, "failed"],
		[121, "completed"],
	])(
		"does not use up the run's time while it waits: of %s ms the turns take 120, and the run has %s",
		async (timeoutMs, status) => {
			const graph = { nodes: [desk, pay], edges: [edge("pay")], limits: { timeoutMs } };
			const turns = [calls(["pay", "7"]), "Done."];
			const { host, start, resume } = createFixture(graph, {
				desk() {
					host.advance(60);
					return turns.shift() ?? "";
				},
			});
			const run = start();
			await run.result;
			host.advance(DAY);
			const result = await resume(run.serialize(), [approve("apr_2")]).result;
			expect([result.status, result.receipt.map(({ ms }) => ms)]).toEqual([status, [60, 60]]);
			if (status === "failed") expect(result.error?.code).toBe("timeout");
		},
	);

	it("is of no use any more when its sibling fails", async () => {
		const graph = {
			nodes: [desk, pay, ask],
			edges: [edge("pay", "before"), edge("ask", "before")],
		};
		const { start, events, paid } = createFixture(graph, { ask: [new Error("gone")] });
		const result = await start().result;
		expect([result.status, result.approvals, paid]).toEqual(["failed", undefined, []]);
		checkRun(events, result);
	});

	it("ends as cancelled where the run is resumed with an aborted signal", async () => {
		const { start, resume, events, paid } = createFixture(
			{ nodes: [desk, pay], edges: [edge("pay", "then")] },
			{},
		);
		const run = start();
		await run.result;
		const result = await resume(run.serialize(), [approve("apr_2")], AbortSignal.abort()).result;
		checkRun(events, result);
		expect([result.status, paid]).toEqual(["cancelled", []]);
		const types = events.slice(-4).map(({ type }) => type);
		expect(types).toEqual(["run.resumed", "node.failed", "node.failed", "run.cancelled"]);
	});

	it("ends as cancelled where the run is cancelled as it is resumed, and stays so", async () => {
		const { start, resume, events, paid } = createFixture(
			{ nodes: [desk, pay], edges: [edge("pay", "then")] },
			{},
		);
		const run = start();
		await run.result;
		run.cancel();
		const resumed = resume(run.serialize(), [approve("apr_2")]);
		resumed.cancel();
		const result = await resumed.result;
		resumed.cancel();
		checkRun(events, result);
		expect([result.status, paid]).toEqual(["cancelled", []]);
	});

	it("can be decided on while others are under way, from within onEvent too, and then the run does not pause", async () => {
		const graph = { nodes: [desk, pay, ask], edges: [edge("pay"), edge("ask")] };
		const { engine } = createScripted(graph, {
			script: { desk: [calls(["pay", "7"], ["ask", "x"]), "Done."] },
			ports: { tools: { describe: async () => ({ parameters: {} }), call: async () => "paid" } },
		});
		const types: string[] = [];
		const run = engine.start({
			input: "hello",
			onEvent(event) {
				types.push(event.type);
				if (event.type === "node.completed" && event.node === "ask") run.decide(approve("apr_2"));
			},
		});
		expect((await run.result).status).toBe("completed");
		expect(types).not.toContain("run.paused");
		expect(() => run.decide(approve("apr_2"))).toThrow(
			expect.objectContaining({ code: "approval_not_found" }),
		);
	});

	it.each([
		[{ approval_id: "apr_9", decision: "approve" }, "approval_not_found"],
		[{ approval_id: "apr_2", decision: "maybe" }, "invalid_decision"],
		[{ approval_id: "apr_2", decision: "deny", reason: 7 }, "invalid_decision"],
		[{ ...approve("apr_2"), decided_at: 7 }, "invalid_decision"],
		[{ ...approve("apr_2"), decided_at: "7" }, "invalid_decision"],
		[{ ...approve("apr_2"), decided_at: "2026-01-31T25:00:00Z" }, "invalid_decision"],
		[null, "invalid_decision"],
	])("takes no decision such as %j", async (decision, code) => {
		const { start, resume } = createFixture({ nodes: [desk, pay], edges: [edge("pay", "then")] }, {});
		const run = start();
		await run.result;
		const refused = expect.objectContaining({ code });
		expect(() => resume(run.serialize(), [decision as ApprovalDecision])).toThrow(refused);
		expect(() => run.decide(decision as ApprovalDecision)).toThrow(refused);
		expect(() => resume(run.serialize(), [approve("apr_2"), approve("apr_2")])).toThrow(/no open approval/);
	});
});

it("a run that has ended cannot be saved", async () => {
	const { start } = createFixture({ nodes: [desk] }, {});
	const run = start();
	const { status }: RunResult = await run.result;
	expect(status).toBe("completed");
	expect(() => run.serialize()).toThrow(expect.objectContaining({ code: "run_ended" }));
});
