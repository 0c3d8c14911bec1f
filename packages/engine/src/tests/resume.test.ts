import type { AgentGraph, ChatRequest, Json, RunEvent, RunResult } from "@stemma/core";
import { describe, expect, it } from "vitest";
import {
	createEngine,
	type Engine,
	type EngineHost,
	type EnginePorts,
	type EngineRun,
	type SerializedRun,
	type ToolRequest,
} from "../index";
import { calls, manualHost, passage, receiptRow, type Script, scriptedModel } from "../test-support/scripted";

const desk = { id: "desk", kind: "coordinator" } as const;
const pay = { id: "pay", kind: "tool", tool: "pay", arguments: { account: "main" } } as const;
const legal = { id: "legal", kind: "remote", agentId: "ag_legal" } as const;
const faq = { id: "faq", kind: "knowledge", knowledgeBases: ["kb"] } as const;

const calling = (...nodes: AgentGraph["nodes"]): AgentGraph => ({
	nodes: [desk, ...nodes],
	edges: nodes.map(({ id }) => ({ from: "desk", to: id })),
});

interface FixtureOptions {
	readonly script?: Script;
	readonly isIdempotent?: boolean;
	/** What tools give; `paid` by default. */
	readonly output?: Json;
	/** Which ports never answer. */
	readonly hangs?: readonly ("models" | "tools" | "agents" | "retriever")[];
	readonly host?: EngineHost;
}

/** An engine, and what its ports were asked. */
function createFixture(
	graph: AgentGraph,
	{ script = {}, isIdempotent, output = "paid", hangs = [], host }: FixtureOptions = {},
) {
	const calledNodes: string[] = [];
	const toolCalls: ToolRequest[] = [];
	const requests: ChatRequest[] = [];
	const respond = <Result>(port: (typeof hangs)[number], result: Result): Promise<Result> =>
		hangs.includes(port) ? new Promise<never>(() => undefined) : Promise.resolve(result);
	const model = scriptedModel(script);
	const answering = (request: ChatRequest) => {
		calledNodes.push(request.origin?.node ?? "");
		requests.push({ ...request, messages: [...request.messages] });
		return hangs.includes("models") ? waiting() : model.stream(request);
	};
	const ports: EnginePorts = {
		models: {
			resolve: () => ({ model: { ...model, stream: answering }, payer: "workspace", reason: "" }),
		},
		retriever: {
			async retrieve({ node }) {
				calledNodes.push(node);
				return respond("retriever", { passages: [passage("a", "Paid.")], receipt: [receiptRow({ node })] });
			},
		},
		tools: {
			describe: async () => ({
				parameters: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
				...(isIdempotent === undefined ? {} : { idempotent: isIdempotent }),
			}),
			async call(request) {
				calledNodes.push(request.node);
				toolCalls.push(structuredClone(request));
				return respond("tools", output);
			},
		},
		agents: {
			async run({ node }, { onText }) {
				calledNodes.push(node);
				onText("We ");
				return respond("agents", { output: "We may." });
			},
		},
		validate: () => ({ valid: true }),
	};
	return {
		engine: createEngine(graph, { ports, host: host ?? manualHost() }),
		calledNodes,
		toolCalls,
		requests,
	};
}

async function* waiting(): AsyncGenerator<{ readonly type: "text.delta"; readonly text: string }> {
	yield { type: "text.delta", text: "Let me " };
	await new Promise(() => undefined);
}

/** Starts a run in an engine, saves it once `isReached`, and leaves it. */
async function saveWhen(
	{ engine }: { readonly engine: Engine },
	isReached: () => boolean,
): Promise<{ saved: SerializedRun; events: RunEvent[] }> {
	const controller = new AbortController();
	const events: RunEvent[] = [];
	let isSaved = false;
	const run = engine.start({
		input: "hello",
		signal: controller.signal,
		onEvent: (event) => {
			if (!isSaved) events.push(event);
		},
	});
	await expect.poll(() => isReached()).toBe(true);
	const saved = toCopy(run.serialize());
	isSaved = true;
	controller.abort();
	expect((await run.result).status).toBe("cancelled");
	return { saved, events };
}

const toCopy = (saved: SerializedRun): SerializedRun => JSON.parse(JSON.stringify(saved));

const toolReplies = (requests: readonly ChatRequest[]) =>
	requests.at(-1)?.messages.flatMap((message) => (message.role === "tool" ? [message] : []));

describe("a call that was out when the run was saved", () => {
	it.each([
		["a tool", pay, "tools"],
		["a remote agent", legal, "agents"],
	] as const)("is not repeated, and its outcome is told as unknown: %s", async (_, node, port) => {
		const graph = calling(node);
		const before = createFixture(graph, { script: { desk: [calls([node.id, "A1"])] }, hangs: [port] });
		const { saved } = await saveWhen(before, () => before.calledNodes.includes(node.id));
		const after = createFixture(graph, { script: { desk: ["I do not know whether that worked."] } });
		const result = await after.engine.resume(saved).result;
		expect(after.calledNodes).toEqual(["desk"]);
		expect(toolReplies(after.requests)).toMatchObject([
			{ callId: "c0", name: node.id, isError: true, content: expect.stringMatching(/^outcome_unknown: /) },
		]);
		expect(result).toMatchObject({ status: "completed", output: "I do not know whether that worked." });
	});

	it.each([
		["a tool", pay, "tools"],
		["a remote agent", legal, "agents"],
	] as const)("fails the node that it ran before: %s", async (_, node, port) => {
		const graph: AgentGraph = { nodes: [desk, node], edges: [{ from: "desk", to: node.id, mode: "before" }] };
		const before = createFixture(graph, { hangs: [port] });
		const { saved } = await saveWhen(before, () => before.calledNodes.includes(node.id));
		const after = createFixture(graph);
		const result = await after.engine.resume(saved).result;
		expect(after.calledNodes).toEqual([]);
		expect(result).toMatchObject({ status: "failed", error: { code: "outcome_unknown" } });
	});

	it.each([
		["that is idempotent, is made again", true, 1],
		["that says it is not, is not", false, 0],
	])("of a tool %s", async (_, isIdempotent, times) => {
		const graph = calling(pay);
		const script = { desk: [calls(["pay", "A1"])] };
		const before = createFixture(graph, { script, isIdempotent, hangs: ["tools"] });
		const { saved } = await saveWhen(before, () => before.calledNodes.includes("pay"));
		const after = createFixture(graph, { script: { desk: ["Done."] }, isIdempotent });
		await after.engine.resume(saved).result;
		expect(after.toolCalls.map(({ arguments: args }) => args)).toEqual(
			Array.from({ length: times }, () => ({ input: "A1", account: "main" })),
		);
	});

	it("of a model is made again; the first stays on the receipt as an estimate, and its text is taken back", async () => {
		const graph: AgentGraph = { nodes: [desk] };
		const before = createFixture(graph, { hangs: ["models"] });
		const errorContent: RunEvent[] = [];
		const { saved, events } = await saveWhen(before, () => before.calledNodes.includes("desk"));
		const after = createFixture(graph, { script: { desk: ["Here you are."] } });
		const run = after.engine.resume(saved, { onEvent: (event) => errorContent.push(event) });
		const result = await run.result;
		expect(after.calledNodes).toEqual(["desk"]);
		expect(result.output).toBe("Here you are.");
		expect(result.receipt).toMatchObject([{ node: "desk", estimated: true }, { node: "desk" }]);
		expect(result.receipt[1]).not.toHaveProperty("estimated");
		expect(finalText([...events, ...errorContent])).toBe("Here you are.");
	});

	it("of a knowledge base is made again", async () => {
		const graph = calling(faq);
		const before = createFixture(graph, { script: { desk: [calls(["faq", "A1"])] }, hangs: ["retriever"] });
		const { saved } = await saveWhen(before, () => before.calledNodes.includes("faq"));
		const after = createFixture(graph, { script: { desk: ["Paid [1]."] } });
		const result = await after.engine.resume(saved).result;
		expect(after.calledNodes).toEqual(["faq", "desk"]);
		expect(result.citations).toMatchObject([{ n: 1, passage_id: "psg_a" }]);
	});

	it("does not keep its siblings from being told", async () => {
		const graph = calling(pay, faq);
		const script = { desk: [calls(["faq", "x"], ["pay", "A1"])] };
		const before = createFixture(graph, { script, hangs: ["tools"] });
		const { saved } = await saveWhen(before, () => before.calledNodes.length === 3);
		const after = createFixture(graph, { script: { desk: ["Paid [1]."] } });
		const result = await after.engine.resume(saved).result;
		expect(after.calledNodes).toEqual(["desk"]);
		expect(toolReplies(after.requests)).toMatchObject([{ name: "faq" }, { name: "pay", isError: true }]);
		expect(result.output).toBe("Paid [1].");
	});
});

describe("a run that was cut off after it was saved", () => {
	const graph: AgentGraph = { nodes: [desk] };
	const cutOff = async (host = manualHost()) => {
		const before = createFixture(graph, { hangs: ["models"], host });
		let saved: SerializedRun | undefined;
		const events: RunEvent[] = [];
		const run = before.engine.start({
			input: "hello",
			onEvent: (event) => {
				if (event.type === "node.started") queueMicrotask(() => (saved = toCopy(run.serialize())));
				events.push(event);
			},
		});
		await expect.poll(() => events.at(-1)?.type).toBe("text.delta");
		if (saved === undefined) throw new Error("It was not saved.");
		return { saved, events, host };
	};

	it("goes on behind the last event, and withdraws the text that came after it was saved", async () => {
		const { saved, events } = await cutOff();
		expect(saved.state.seq).toBeLessThan(events.length);
		const after = createFixture(graph, { script: { desk: ["Here you are."] } });
		const resumed: RunEvent[] = [];
		const interruption = { lastSeq: events.length, hasText: true };
		const run = after.engine.resume(saved, { interruption, onEvent: (event) => resumed.push(event) });
		expect((await run.result).output).toBe("Here you are.");
		const all = [...events, ...resumed];
		expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
		expect(resumed.slice(0, 2).map(({ type }) => type)).toEqual(["run.resumed", "text.reset"]);
		expect(finalText(all)).toBe("Here you are.");
	});

	it("withdraws nothing where no text came", async () => {
		const { saved, events } = await cutOff();
		const after = createFixture(graph, { script: { desk: ["Here you are."] } });
		const types: string[] = [];
		const interruption = { lastSeq: events.length, hasText: false };
		await after.engine.resume(saved, { interruption, onEvent: ({ type }) => types.push(type) }).result;
		expect(types).not.toContain("text.reset");
	});

	it("fails where its time has passed meanwhile", async () => {
		const { saved, events, host } = await cutOff();
		host.advance(24 * 60 * 60_000);
		const after = createFixture(graph, { host });
		const interruption = { lastSeq: events.length, hasText: true };
		const result = await after.engine.resume(saved, { interruption }).result;
		expect(result).toMatchObject({ status: "failed", error: { code: "timeout" } });
		expect(after.calledNodes).toEqual([]);
	});
});

const finalText = (events: readonly RunEvent[]): string => {
	let text = "";
	for (const event of events) {
		if (event.type === "text.reset") text = "";
		if (event.type === "text.delta" && event.final) text += event.text;
	}
	return text;
};

describe("an approval", () => {
	const graph = calling({ ...pay, approval: true });
	const script = { desk: [calls(["pay", "A1"])] };

	async function pause(host: EngineHost = manualHost()) {
		const fixture = createFixture(graph, { script, host });
		const run = fixture.engine.start({ input: "hello" });
		const result = await run.result;
		expect(result).toMatchObject({ status: "paused", approvals: [{ node: "pay", tool: "pay" }] });
		expect(fixture.toolCalls).toEqual([]);
		return { saved: toCopy(run.serialize()), result, id: result.approvals?.[0]?.id ?? "" };
	}

	const next = (host?: EngineHost) =>
		createFixture(graph, { script: { desk: ["Done."] }, ...(host && { host }) });

	it("is for the very arguments that were shown, and is called with them, once", async () => {
		const { saved, result, id } = await pause();
		expect(id).toMatch(/^apr_\d+$/);
		expect(result.approvals?.[0]?.arguments).toEqual({ input: "A1", account: "main" });
		const after = next();
		const done = await after.engine.resume(saved, { decisions: [{ approval_id: id, decision: "approve" }] })
			.result;
		expect(after.toolCalls.map(({ arguments: args }) => args)).toEqual([result.approvals?.[0]?.arguments]);
		expect(toolReplies(after.requests)).toMatchObject([{ content: "paid" }]);
		expect(done.status).toBe("completed");
		expect(done.approvals ?? []).toEqual([]);
	});

	it("that is denied tells the model why, and nothing is called", async () => {
		const { saved, id } = await pause();
		const after = next();
		const decision = { approval_id: id, decision: "deny", reason: "Ask the customer first." } as const;
		await after.engine.resume(saved, { decisions: [decision] }).result;
		expect(after.toolCalls).toEqual([]);
		expect(toolReplies(after.requests)).toMatchObject([
			{ isError: true, content: expect.stringMatching(/^approval_denied: .*Ask the customer first\./) },
		]);
	});

	it.each([
		["a millisecond before it expires, is taken", 7 * 86_400_000 - 1, 1],
		["from when it expires, is a denial", 7 * 86_400_000, 0],
		["long after, is a denial", 30 * 86_400_000, 0],
	])("that is given %s", async (_, later, times) => {
		const host = manualHost();
		const { saved, id, result } = await pause(host);
		expect(Date.parse(result.approvals?.[0]?.expires_at ?? "")).toBe(host.now() + 7 * 86_400_000);
		host.advance(later);
		const after = next(host);
		await after.engine.resume(saved, { decisions: [{ approval_id: id, decision: "approve" }] }).result;
		expect(after.toolCalls).toHaveLength(times);
		if (times === 0) expect(toolReplies(after.requests)?.[0]?.content).toMatch(/^approval_denied: /);
	});

	it("that has expired, is denied without a decision too", async () => {
		const host = manualHost();
		const { saved } = await pause(host);
		host.advance(8 * 86_400_000);
		const after = next(host);
		expect((await after.engine.resume(saved).result).status).toBe("completed");
		expect(after.toolCalls).toEqual([]);
	});

	it("stays open without a decision, under the same id and with the same end, and nothing is asked again", async () => {
		const { saved, result } = await pause();
		const after = next();
		const events: RunEvent[] = [];
		const again = await after.engine.resume(saved, { onEvent: (event) => events.push(event) }).result;
		expect(again.approvals).toEqual(result.approvals);
		expect(after.calledNodes).toEqual([]);
		expect(events.map(({ type }) => type)).toEqual(["run.resumed", "run.paused"]);
	});

	it("waits for as long as it takes: the run's time does not run on", async () => {
		const host = manualHost();
		const { saved, id } = await pause(host);
		host.advance(5 * 86_400_000);
		const after = next(host);
		const result = await after.engine.resume(saved, { decisions: [{ approval_id: id, decision: "approve" }] })
			.result;
		expect(result.status).toBe("completed");
	});

	it("can be decided on while the run goes on, and only once", async () => {
		const graph = calling({ ...pay, approval: true }, legal);
		const fixture = createFixture(graph, {
			script: { desk: [calls(["pay", "A1"], ["legal", "x"]), "Done."] },
		});
		const decision = { approval_id: "apr_2", decision: "approve" } as const;
		const run: EngineRun = fixture.engine.start({
			input: "hello",
			onEvent: (event) => {
				if (event.type !== "text.delta" || event.text !== "We ") return;
				run.decide(decision);
				expect(() => run.decide(decision)).toThrow(expect.objectContaining({ code: "approval_not_found" }));
			},
		});
		const result = await run.result;
		expect(result.status).toBe("completed");
		expect(fixture.toolCalls).toHaveLength(1);
	});

	it.each([
		["together", [["apr_2", "apr_3"]]],
		["together, the last one first", [["apr_3", "apr_2"]]],
		["one at a time", [["apr_2"], ["apr_3"]]],
		["one at a time, the last one first", [["apr_3"], ["apr_2"]]],
	])("may be one of several that are decided on %s, and none is called twice", async (_, rounds) => {
		const graph = calling({ ...pay, approval: true });
		const fixture = createFixture(graph, { script: { desk: [calls(["pay", "A1"], ["pay", "A2"])] } });
		const run = fixture.engine.start({ input: "hello" });
		expect((await run.result).approvals?.map(({ id }) => id)).toEqual(["apr_2", "apr_3"]);
		let saved = toCopy(run.serialize());
		const after = next();
		let result: RunResult | undefined;
		for (const ids of rounds) {
			const decisions = ids.map((id) =>
				id === "apr_3"
					? { approval_id: id, decision: "deny" as const, reason: "Once is enough." }
					: { approval_id: id, decision: "approve" as const },
			);
			const resumed = after.engine.resume(saved, { decisions });
			result = await resumed.result;
			if (result.status === "paused") saved = toCopy(resumed.serialize());
		}
		expect(result?.status).toBe("completed");
		expect(after.toolCalls.map(({ arguments: args }) => args.input)).toEqual(["A1"]);
		expect(toolReplies(after.requests)).toMatchObject([
			{ content: "paid" },
			{ isError: true, content: expect.stringContaining("Once is enough.") },
		]);
	});

	it("does not make others cite what a tool gave before the run was saved", async () => {
		const graph: AgentGraph = {
			nodes: [desk, faq, { ...pay, id: "look" }, { ...pay, approval: true }],
			edges: [
				{ from: "desk", to: "faq", mode: "before" },
				{ from: "desk", to: "look", mode: "then" },
				{ from: "desk", to: "pay", mode: "then" },
			],
		};
		const output = { text: "See [1] and [7]." };
		const fixture = createFixture(graph, { script: { desk: ["A1"] }, output });
		const run = fixture.engine.start({ input: "hello" });
		const id = (await run.result).approvals?.[0]?.id ?? "";
		const after = createFixture(graph, { output });
		const decisions = [{ approval_id: id, decision: "approve" as const }];
		const result = await after.engine.resume(toCopy(run.serialize()), { decisions }).result;
		expect(result).toMatchObject({ output: { look: output, pay: output }, citations: [] });
	});

	it("that nobody asked for cannot be decided on", async () => {
		const { saved } = await pause();
		const decisions = [{ approval_id: "apr_99", decision: "approve" as const }];
		expect(() => next().engine.resume(saved, { decisions })).toThrow(
			expect.objectContaining({ code: "approval_not_found" }),
		);
	});

	it("is of no use to a run that was cancelled meanwhile", async () => {
		const { saved, id } = await pause();
		const after = next();
		const decisions = [{ approval_id: id, decision: "approve" as const }];
		const result = await after.engine.resume(saved, { decisions, signal: AbortSignal.abort() }).result;
		expect(result.status).toBe("cancelled");
		expect(after.calledNodes).toEqual([]);
	});
});

describe("what is no run of this graph", () => {
	const graph = calling(pay);

	async function save(): Promise<SerializedRun> {
		const fixture = createFixture(graph, { script: { desk: [calls(["pay", "A1"])] }, hangs: ["tools"] });
		return (await saveWhen(fixture, () => fixture.calledNodes.includes("pay"))).saved;
	}

	it("is refused: of another graph", async () => {
		const saved = await save();
		const other: AgentGraph = { nodes: [desk, { ...pay, tool: "pay_twice" }], edges: graph.edges ?? [] };
		expect(() => createFixture(other).engine.resume(saved)).toThrow(
			expect.objectContaining({ code: "graph_changed" }),
		);
	});

	it.each<[string, (saved: SerializedRun) => unknown]>([
		["nothing", () => undefined],
		["a text", () => "run"],
		["of another version", (saved) => ({ ...saved, version: 2 })],
		["without a state", ({ version, run_id }) => ({ version, run_id })],
		["with a state that is none", (saved) => ({ ...saved, state: { run: 1 } })],
		["with a state that is an array", (saved) => ({ ...saved, state: [] })],
	])("is refused: %s", async (_, corrupt) => {
		const corrupted = corrupt(await save()) as SerializedRun;
		expect(() => createFixture(graph).engine.resume(corrupted)).toThrow(
			expect.objectContaining({ code: "invalid_run" }),
		);
	});

	it("is refused: a run that has ended cannot be saved", async () => {
		const fixture = createFixture({ nodes: [desk] }, { script: { desk: ["Done."] } });
		const run = fixture.engine.start({ input: "hello" });
		const result: RunResult = await run.result;
		expect(result.status).toBe("completed");
		expect(() => run.serialize()).toThrow(expect.objectContaining({ code: "run_ended" }));
	});
});
