import {
	type AgentGraph,
	type AgentNode,
	type ApprovalDecision,
	type ChatRequest,
	StemmaError,
} from "@stemma/core";
import { describe, expect, it, vi } from "vitest";
import type { EnginePorts, SerializedRun, ToolPort } from "../index";
import { calls, createScripted, type Script, type ScriptedOptions } from "../test-support/scripted";

const desk: AgentNode = { id: "desk", kind: "coordinator" };
const pay: AgentNode = { id: "pay", kind: "tool", tool: "pay", description: "Pays.", approval: true };
const mail: AgentNode = { id: "mail", kind: "tool", tool: "mail", server: "https://m.example" };
const missing = new StemmaError('The secret "post" is missing.', { code: "secret_missing", hint: "Set it." });
const errorText = 'secret_missing: The secret "post" is missing. Set it.';

const graphOf = (mode: "call" | "then", ...nodes: readonly AgentNode[]): AgentGraph => ({
	nodes: [desk, ...nodes],
	edges: nodes.map(({ id }) => ({ from: "desk", to: id, mode })),
});

/** An engine whose tools are there, or lost. */
function createFixture(
	graph: AgentGraph,
	script: Script,
	missingTools: readonly string[] = [],
	options: ScriptedOptions = {},
) {
	const called: string[] = [];
	const tools: ToolPort = {
		async describe({ tool }) {
			if (missingTools.includes(tool)) throw missing;
			return {
				description: "Theirs.",
				parameters: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
			};
		},
		async call({ tool }) {
			called.push(tool);
			return "done";
		},
	};
	return { ...createScripted(graph, { ...options, script, ports: { tools, ...options.ports } }), called };
}

async function pause(graph: AgentGraph, script: Script): Promise<SerializedRun> {
	const run = createFixture(graph, script).engine.start({ input: "hello" });
	expect((await run.result).status).toBe("paused");
	return JSON.parse(JSON.stringify(run.serialize()));
}

const decide = (decision: ApprovalDecision["decision"]): ApprovalDecision[] => [
	{ approval_id: "apr_2", decision },
];
const lastReplies = (requests: readonly ChatRequest[]) =>
	requests.at(-1)?.messages.flatMap(({ role, content }) => (role === "tool" ? [content] : []));

describe("a tool that is gone when the run goes on", () => {
	const denied = 'approval_denied: "pay" was not called: a person denied it, without a reason.';
	it.each([
		["approve", errorText],
		["deny", denied],
	] as const)("is told to the model that called it: %s", async (decision, reply) => {
		const graph = graphOf("call", pay);
		const saved = await pause(graph, { desk: [calls(["pay", "7"])] });
		const { engine, called, requests } = createFixture(graph, { desk: ["I could not."] }, ["pay"]);
		const { status, output } = await engine.resume(saved, { decisions: decide(decision) }).result;
		expect([status, output, called, lastReplies(requests)]).toEqual([
			"completed",
			"I could not.",
			[],
			[reply],
		]);
	});

	it.each([
		["approve", "secret_missing", /^"pay", which runs after "desk", failed: The secret "post"/],
		["deny", "approval_denied", /a person denied it/],
	] as const)("fails the node that it runs after: %s", async (decision, code, message) => {
		const graph = graphOf("then", pay);
		const saved = await pause(graph, { desk: ["7"] });
		const { engine, called } = createFixture(graph, {}, ["pay"]);
		const result = await engine.resume(saved, { decisions: decide(decision) }).result;
		expect(result).toMatchObject({
			status: "failed",
			error: { code, message: expect.stringMatching(message) },
		});
		expect(called).toEqual([]);
	});

	it("is offered with an open schema, and fails at once, whoever would have to approve", async () => {
		const graph = graphOf("call", pay, mail);
		const saved = await pause(graph, { desk: [calls(["pay", "7"])] });
		const script = { desk: [calls(["mail", "x"], ["pay", "8"]), "Sorry."] };
		const { engine, called, requests } = createFixture(graph, script, ["pay", "mail"]);
		const { status } = await engine.resume(saved, { decisions: decide("deny") }).result;
		expect([status, called, lastReplies(requests)]).toEqual([
			"completed",
			[],
			[denied, errorText, errorText],
		]);
		const open = { parameters: { type: "object" } };
		expect(
			requests[0]?.tools?.map(({ name, description, parameters }) => ({ name, description, parameters })),
		).toEqual([
			{ name: "pay", description: "Pays.", ...open },
			{ name: "mail", description: requests[0]?.tools?.[1]?.description, ...open },
		]);
		expect(requests[0]?.tools?.[1]?.description).not.toBe("Theirs.");
	});

	it("is what fails, and not the text that would have been its argument", async () => {
		const graph: AgentGraph = {
			nodes: [desk, pay, mail],
			edges: [
				{ from: "desk", to: "pay" },
				{ from: "desk", to: "mail", mode: "then" },
			],
		};
		const saved = await pause(graph, { desk: [calls(["pay", "7"])] });
		const { engine } = createFixture(graph, { desk: ["Dear all."] }, ["mail"]);
		const result = await engine.resume(saved, { decisions: decide("approve") }).result;
		expect(result.error?.code).toBe("secret_missing");
	});

	it("does no harm to the others, also where its call was planned already", async () => {
		const graph = graphOf("call", { ...pay, approval: false }, mail);
		const script = { desk: [calls(["pay", "7"], ["mail", "x"], ["pay", "8"])] };
		const call = vi.fn(() => new Promise(() => undefined));
		const describeAll: ToolPort["describe"] = async () => ({ parameters: {} });
		const options = { maxConcurrentCalls: 1, ports: { tools: { describe: describeAll, call } } };
		const controller = new AbortController();
		const run = createFixture(graph, script, [], options).engine.start({
			input: "hello",
			signal: controller.signal,
		});
		await expect.poll(() => call).toHaveBeenCalledOnce();
		const saved = JSON.parse(JSON.stringify(run.serialize()));
		controller.abort();
		await run.result;
		const after = createFixture(graph, { desk: ["Sorry."] }, ["mail"]);
		expect((await after.engine.resume(saved).result).status).toBe("completed");
		expect(after.called).toEqual(["pay"]);
		expect(lastReplies(after.requests)).toEqual([
			expect.stringMatching(/^outcome_unknown: /),
			errorText,
			"done",
		]);
	});

	it("does no harm to a run of which only the coordinator has begun", async () => {
		const controller = new AbortController();
		const hang = vi.fn(() => new Promise<never>(() => undefined));
		const { engine } = createFixture(graphOf("call", mail), { desk: hang });
		const run = engine.start({ input: "hello", signal: controller.signal });
		await expect.poll(() => hang).toHaveBeenCalled();
		const saved = run.serialize();
		controller.abort();
		await run.result;
		const after = createFixture(graphOf("call", mail), { desk: ["No need."] }, ["mail"]);
		expect((await after.engine.resume(saved).result).output).toBe("No need.");
	});

	it("says no more to a model than it needs", async () => {
		const graph = graphOf("call", pay);
		const saved = await pause(graph, { desk: [calls(["pay", "7"])] });
		const describeNone = async () => Promise.reject(new Error("x".repeat(5000)));
		const ports = { tools: { describe: describeNone, call: describeNone } };
		const { engine, requests } = createFixture(graph, { desk: ["Sorry."] }, [], { ports });
		await engine.resume(saved, { decisions: decide("approve") }).result;
		expect(lastReplies(requests)).toEqual([`tool_refused: ${"x".repeat(1000)}…`]);
	});

	it("works again once it is back", async () => {
		const graph = graphOf("call", pay, mail);
		const saved = await pause(graph, { desk: [calls(["pay", "7"], ["pay", "8"])] });
		const first = createFixture(graph, {}, ["pay"]).engine.resume(saved, { decisions: decide("deny") });
		expect((await first.result).status).toBe("paused");
		const after = createFixture(graph, { desk: ["Done."] });
		const decisions = [{ approval_id: "apr_3", decision: "approve" as const }];
		await after.engine.resume(first.serialize(), { decisions }).result;
		expect(lastReplies(after.requests)).toEqual([denied, "done"]);
	});
});

describe("what ends a run all the same", () => {
	it("is a model that is refused when it goes on", async () => {
		const graph = graphOf("call", pay);
		const saved = await pause(graph, { desk: [calls(["pay", "7"])] });
		const resolve = () => Promise.reject(missing);
		const ports: Partial<EnginePorts> = { models: { resolve } };
		const { engine } = createFixture(graph, {}, ["pay"], { ports });
		const result = await engine.resume(saved, { decisions: decide("deny") }).result;
		expect(result).toMatchObject({
			status: "failed",
			error: { code: "secret_missing", message: expect.stringMatching(/^No model for/) },
		});
	});

	it("is a tool that is refused to a run that has not begun anything", async () => {
		const graph = graphOf("call", mail);
		const controller = new AbortController();
		const ports = { tools: { describe: () => new Promise<never>(() => undefined), call: async () => "" } };
		const run = createFixture(graph, {}, [], { ports }).engine.start({
			input: "hello",
			signal: controller.signal,
		});
		const saved = run.serialize();
		controller.abort();
		await run.result;
		const result = await createFixture(graph, {}, ["mail"]).engine.resume(saved).result;
		expect(result.error?.message).toMatch(/^No tool for "mail"/);
	});
});
