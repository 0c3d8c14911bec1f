import type {
	AgentEdge,
	AgentGraph,
	AgentNode,
	ChatEvent,
	ChatModel,
	EdgeMode,
	RunEvent,
} from "@stemma/core";
import { expect, it } from "vitest";
import type { EngineRun, SerializedRun } from "../index";
import {
	calls,
	createScripted,
	manualHost,
	passage,
	type ScriptedOptions,
	scriptedModel,
} from "../test-support/scripted";

const desk: AgentNode = { id: "desk", kind: "coordinator" };
const agent = (id: string): AgentNode => ({ id, kind: "agent" });
const faq: AgentNode = { id: "faq", kind: "knowledge", knowledgeBases: ["kb"] };
const pay: AgentNode = { id: "pay", kind: "tool", tool: "pay", approval: true };
const edge = (from: string, mode: EdgeMode, to: string): AgentEdge => ({ from, to, mode }) as AgentEdge;
const tools = {
	describe: async () => ({
		parameters: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
	}),
	call: async () => "paid",
};
const neverResolve = () => new Promise<never>(() => undefined);
const nextTimer = () => new Promise((resolve) => setTimeout(resolve, 2));
const throughJson = (saved: SerializedRun): SerializedRun => JSON.parse(JSON.stringify(saved));

it("the run's own conversation is still one when the node is asked after it was saved", async () => {
	const graph: AgentGraph = { nodes: [desk, faq], edges: [edge("desk", "before", "faq")] };
	const input = {
		messages: [
			{ role: "user" as const, content: "Hi" },
			{ role: "assistant" as const, content: "Yes?" },
			{ role: "user" as const, content: "hello" },
		],
	};
	const run = createScripted(graph, { ports: { retriever: { retrieve: neverResolve } } }).engine.start({
		input,
	});
	await nextTimer();
	const { engine, requests } = createScripted(graph, { passages: { hello: [passage("a", "Open.")] } });
	await engine.resume(throughJson(run.serialize())).result;
	expect(requests[0]?.messages.slice(1)).toEqual(input.messages);
});

it("text of others is still no citation, in whatever was saved", async () => {
	const graph: AgentGraph = {
		nodes: [desk, faq, pay],
		edges: [edge("desk", "then", "faq"), edge("desk", "then", "pay")],
	};
	const options = {
		script: { desk: ["hours"] },
		ports: { tools },
		passages: { hours: [passage("a", "See [1].")] },
	};
	const run = createScripted(graph, options).engine.start({ input: "hello" });
	await run.result;
	const decisions = [{ approval_id: "apr_3", decision: "approve" as const }];
	const { output, citations } = await createScripted(graph, options).engine.resume(
		throughJson(run.serialize()),
		{ decisions },
	).result;
	expect([JSON.stringify(output).includes("See [1]."), citations]).toEqual([true, []]);
});

it("a model call that was out is the same step and turn, and one more row", async () => {
	const graph: AgentGraph = { nodes: [desk] };
	const run = createScripted(graph, { script: { desk: neverResolve } }).engine.start({ input: "hello" });
	await nextTimer();
	const { usage, receipt } = await createScripted(graph, { script: { desk: ["Done."] } }).engine.resume(
		throughJson(run.serialize()),
	).result;
	expect(usage).toMatchObject({ steps: 2, model_calls: 2 });
	expect(receipt.map(({ estimated }) => estimated)).toEqual([true, undefined]);
});

it("siblings of which one fails are aborted together after they were saved, too", async () => {
	const graph: AgentGraph = {
		nodes: [desk, agent("clerk"), agent("a"), agent("b")],
		edges: [edge("desk", "call", "clerk"), edge("clerk", "before", "a"), edge("clerk", "before", "b")],
	};
	const first = createScripted(graph, {
		script: { desk: [calls(["clerk", "x"])], a: neverResolve, b: neverResolve },
	});
	const run = first.engine.start({ input: "hello" });
	await nextTimer();
	const signals = new Map<string, AbortSignal | undefined>();
	const script = scriptedModel({ a: [new Error("gone")], desk: ["On my own."] });
	const ignoringSignal: ChatModel = {
		...script,
		async *stream(request, options): AsyncGenerator<ChatEvent> {
			const node = request.origin?.node ?? "";
			signals.set(node, options?.signal);
			if (node === "b") await neverResolve();
			yield* script.stream(request);
		},
	};
	const resolve = () => ({ model: ignoringSignal, payer: "none" as const, reason: "" });
	const next = createScripted(graph, { ports: { models: { resolve } } });
	const { output } = await next.engine.resume(throughJson(run.serialize())).result;
	expect(output).toBe("On my own.");
	expect([signals.get("b")?.aborted, signals.get("desk")?.aborted]).toEqual([true, false]);
});

it("what is planned while others wait takes its turn after them", async () => {
	const graph: AgentGraph = {
		nodes: [desk, agent("a"), agent("b"), agent("after-a")],
		edges: [edge("desk", "then", "a"), edge("desk", "then", "b"), edge("a", "then", "after-a")],
	};
	const { engine, requests } = createScripted(graph, { maxConcurrentCalls: 1 });
	await engine.run({ input: "hello" });
	expect(requests.map(({ origin }) => origin?.node)).toEqual(["desk", "a", "b", "after-a"]);
});

it("tokens that were set aside still are when a run goes on", async () => {
	const model = { maxOutputTokens: 30 };
	const graph: AgentGraph = {
		nodes: [desk, { id: "a", kind: "agent", model }, { id: "b", kind: "agent", model }],
		edges: [edge("desk", "before", "a"), edge("desk", "before", "b")],
		limits: { maxTokens: 100 },
	};
	const run: { now?: EngineRun; saved?: SerializedRun } = {};
	const usage = { inputTokens: 2, outputTokens: 30 };
	const script = { a: [{ text: "A.", usage }], b: [{ text: "B.", usage }] };
	run.now = createScripted(graph, { script }).engine.start({
		input: "hello",
		onEvent(event) {
			if (event.type === "node.started" && event.node === "b" && run.now !== undefined)
				run.saved ??= run.now.serialize();
		},
	});
	await run.now.result;
	if (run.saved === undefined) throw new Error("It was not saved.");
	const result = await createScripted(graph, { script }).engine.resume(throughJson(run.saved)).result;
	expect([result.error?.code, result.usage]).toEqual([
		"max_tokens",
		{ input_tokens: 4, output_tokens: 60, model_calls: 2, steps: 5 },
	]);
});

it("what nobody waits for any more is aborted at a pause, and is not saved", async () => {
	const remote: AgentNode = { id: "legal", kind: "remote", url: "https://a.example" };
	const graph: AgentGraph = {
		nodes: [desk, agent("clerk"), agent("aide"), faq, remote, pay],
		edges: [
			edge("desk", "call", "clerk"),
			edge("desk", "call", "pay"),
			...["aide", "faq", "legal", "pay"].map((to) => edge("clerk", "before", to)),
		],
	};
	let retrieval: AbortSignal | undefined;
	const options: ScriptedOptions = {
		script: { desk: [calls(["clerk", "x"], ["pay", "y"]), "Done."], aide: async () => new Error("gone") },
		ports: {
			tools,
			agents: { run: neverResolve },
			retriever: {
				retrieve(_, { signal }) {
					retrieval = signal;
					return neverResolve();
				},
			},
		},
	};
	const run = createScripted(graph, options).engine.start({ input: "hello" });
	const { status, approvals } = await run.result;
	expect([status, approvals?.map(({ arguments: args }) => args), retrieval?.aborted]).toEqual([
		"paused",
		[{ input: "y" }],
		true,
	]);
	const decisions = [{ approval_id: approvals?.[0]?.id ?? "", decision: "approve" as const }];
	const next = createScripted(graph, { ...options, script: { desk: ["Done."] } });
	expect((await next.engine.resume(throughJson(run.serialize()), { decisions }).result).output).toBe("Done.");
});

it("the figures of a node count what it ran before the pause and after it", async () => {
	const host = manualHost();
	const graph: AgentGraph = { nodes: [desk, pay], edges: [edge("desk", "call", "pay")] };
	const turns = [calls(["pay", "x"]), "Done."];
	const script = {
		desk() {
			host.advance(60);
			return turns.shift() ?? "";
		},
	};
	const { engine } = createScripted(graph, { host, script, ports: { tools } });
	const run = engine.start({ input: "hello" });
	await run.result;
	host.advance(1_000_000);
	const events: RunEvent[] = [];
	await engine.resume(run.serialize(), {
		decisions: [{ approval_id: "apr_2", decision: "approve" }],
		onEvent: (event) => events.push(event),
	}).result;
	expect(events.at(-2)).toMatchObject({ type: "node.completed", node: "desk", ms: 120 });
});
