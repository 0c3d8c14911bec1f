import { type AgentGraph, StemmaError } from "@stemma/core";
import { describe, expect, it } from "vitest";
import { calls, passage, runScripted } from "../test-support/scripted";

const alone: AgentGraph = { nodes: [{ id: "desk", kind: "coordinator" }] };

const types = (events: readonly { type: string }[]): string[] => events.map(({ type }) => type);

describe("a coordinator alone", () => {
	it("answers with its model's text", async () => {
		const { result, events } = await runScripted(
			{ name: "solo", ...alone },
			{ script: { desk: ["Hi there."] } },
		);
		expect(result).toMatchObject({
			status: "completed",
			output: "Hi there.",
			citations: [],
			usage: { input_tokens: 10, output_tokens: 5, model_calls: 1, steps: 2 },
		});
		expect(types(events)).toEqual([
			"run.started",
			"node.started",
			"text.delta",
			"text.delta",
			"node.completed",
			"run.completed",
		]);
		expect(events[0]).toMatchObject({ agent: "solo", run_id: result.run_id });
		expect(events[1]).toMatchObject({ node: "desk", invocation: 1, mode: "start", input: "hello" });
	});

	it("sends its instructions alone as the system message, and the input as the user's", async () => {
		const { requests } = await runScripted(
			{ nodes: [{ id: "desk", kind: "coordinator", instructions: "Be kind." }] },
			{ input: { order: 7 } },
		);
		expect(requests[0]).toMatchObject({
			system: "Be kind.",
			messages: [{ role: "user", content: '{"order":7}' }],
			origin: { node: "desk", depth: 0 },
		});
	});

	it("takes a conversation", async () => {
		const messages = [
			{ role: "user", content: "Hi" },
			{ role: "assistant", content: "Hello" },
			{ role: "user", content: "And now?" },
		];
		const { requests } = await runScripted(alone, { input: { messages } });
		expect(requests[0]?.messages).toEqual(messages);
	});

	it("takes a conversation of text parts, and shows it as text", async () => {
		const content = [
			{ type: "text", text: "Where is " },
			{ type: "text", text: "my order?" },
		];
		const { requests, events } = await runScripted(alone, {
			input: { messages: [{ role: "user", content }] },
		});
		const messages = [{ role: "user", content: "Where is my order?" }];
		expect(requests[0]?.messages).toEqual(messages);
		expect(events.find(({ type }) => type === "node.started")).toMatchObject({ input: { messages } });
	});

	it("sends its text when the model gives it only at the end", async () => {
		const model = {
			provider: "late",
			model: "l",
			vendorHost: "",
			generate: async () => reply,
			stream: async function* () {
				yield { type: "finish" as const, reply };
			},
		};
		const reply = { text: "All at once.", toolCalls: [], finishReason: "stop" as const };
		const ports = { models: { resolve: () => ({ model, payer: "none" as const, reason: "" }) } };
		const { result } = await runScripted(alone, { ports });
		expect(result.output).toBe("All at once.");
		expect(result.receipt[0]).toMatchObject({ estimated: true, input_tokens: 2, output_tokens: 3 });
	});
});

describe("before", () => {
	const graph: AgentGraph = {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "slow", kind: "knowledge", knowledgeBases: ["a"] },
			{ id: "fast", kind: "knowledge", knowledgeBases: ["b"], topK: 3 },
			{ id: "mood", kind: "agent" },
		],
		edges: [
			{ from: "desk", to: "slow", mode: "before" },
			{ from: "desk", to: "fast", mode: "before" },
			{ from: "desk", to: "mood", mode: "before" },
		],
	};

	it("gathers all outputs into one user message of data, ahead of the input", async () => {
		const { requests } = await runScripted(graph, {
			script: { mood: ["calm"] },
			passages: { hello: [passage("a", "Refunds take 5 days.")] },
		});
		const messages = requests.find(({ origin }) => origin?.node === "desk")?.messages ?? [];
		expect(messages).toHaveLength(2);
		expect(messages[1]).toEqual({ role: "user", content: "hello" });
		const [data] = messages;
		expect(data?.role).toBe("user");
		expect(data?.content).toContain('{"query":"hello","passages":[{"n":1,"text":"Refunds take 5 days."');
		expect(data?.content).toMatch(
			/-----BEGIN DATA data_\d+ mood \(agent\)-----\ncalm\n-----END DATA data_\d+-----/,
		);
	});

	it("numbers passages in the order of edges, whichever retrieval is back first", async () => {
		const waits: Record<string, number> = { slow: 20, fast: 0 };
		const { result } = await runScripted(graph, {
			script: { desk: ["Slow [1]. Fast [2]."] },
			ports: {
				retriever: {
					async retrieve({ node }) {
						await new Promise((resolve) => setTimeout(resolve, waits[node]));
						return { passages: [passage(node, `${node} text`)] };
					},
				},
			},
		});
		expect(result.citations.map(({ passage_id }) => passage_id)).toEqual(["psg_slow", "psg_fast"]);
	});

	it("passes topK on, 8 by default", async () => {
		const topKs: number[] = [];
		await runScripted(graph, {
			ports: {
				retriever: {
					async retrieve({ topK }) {
						topKs.push(topK);
						return { passages: [] };
					},
				},
			},
		});
		expect(topKs).toEqual([8, 3]);
	});

	it("fails the node when a target fails, and stops its siblings", async () => {
		let aborted = false;
		const { result, events } = await runScripted(graph, {
			script: {
				mood: () => new Promise(() => undefined),
			},
			ports: {
				retriever: {
					async retrieve({ node }) {
						if (node === "slow")
							throw new StemmaError("The disk is gone.", { code: "store_down", hint: "Mount it." });
						return { passages: [] };
					},
				},
			},
			onEvent: ({ type }) => {
				aborted ||= type === "node.failed";
			},
		});
		expect(result).toMatchObject({
			status: "failed",
			output: null,
			error: {
				code: "store_down",
				message: '"slow", which runs before "desk", failed: The disk is gone.',
				hint: "Mount it.",
			},
		});
		expect(aborted).toBe(true);
		expect(events.filter(({ type }) => type === "node.failed")).toHaveLength(4);
	});
});

describe("call", () => {
	const graph: AgentGraph = {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "billing", kind: "agent", description: "Knows invoices" },
			{ id: "faq", kind: "knowledge", knowledgeBases: ["faq"] },
		],
		edges: [
			{ from: "desk", to: "billing", maxCalls: 1 },
			{ from: "desk", to: "faq" },
		],
	};

	it("offers callees as tools and gives their results back in the order of the calls", async () => {
		const { result, requests, events } = await runScripted(graph, {
			script: {
				desk: [calls(["billing", "invoice 7?"], ["faq", "refunds"]), "It is paid [1]."],
				billing: ["Invoice 7 is paid."],
			},
			passages: { refunds: [passage("r", "It is paid.")] },
		});
		expect(result).toMatchObject({ output: "It is paid [1].", citations: [{ n: 1, passage_id: "psg_r" }] });
		expect(requests[0]?.tools).toEqual([
			{
				name: "billing",
				description: "Knows invoices",
				kind: "agent",
				parameters: expect.objectContaining({ required: ["input"] }),
			},
			expect.objectContaining({ name: "faq", kind: "knowledge" }),
		]);
		const second = requests.filter(({ origin }) => origin?.node === "desk")[1];
		expect(second?.messages.slice(1)).toEqual([
			{ role: "assistant", content: "", toolCalls: expect.any(Array) },
			{ role: "tool", callId: "c0", name: "billing", content: "Invoice 7 is paid." },
			{ role: "tool", callId: "c1", name: "faq", content: expect.stringContaining('"passages":[{"n":1') },
		]);
		expect(events.filter(({ type }) => type === "tool.called")).toMatchObject([
			{ callee: "billing", call_id: "c0", arguments: { input: "invoice 7?" } },
			{ callee: "faq", call_id: "c1", arguments: { input: "refunds" } },
		]);
		const billing = events.find((event) => event.type === "node.started" && event.node === "billing");
		expect(billing).toMatchObject({ mode: "call", parent: 1, input: "invoice 7?" });
		expect(requests.find(({ origin }) => origin?.node === "billing")?.origin?.depth).toBe(1);
	});

	it.each([
		["ids of their own", "a", "b"],
		["one id for all", "a", "a"],
	])("gives what the vendor wants back with its calls back: %s", async (_, ...ids) => {
		const toolCalls = ids.map((id, index) => ({
			id,
			name: "faq",
			arguments: '{"input":"x"}',
			providerMetadata: { signature: `s${index}` },
		}));
		const { requests } = await runScripted(graph, { script: { desk: [{ toolCalls }, "Done."] } });
		expect(requests[1]?.messages[1]).toMatchObject({
			toolCalls: [{ providerMetadata: { signature: "s0" } }, { providerMetadata: { signature: "s1" } }],
		});
	});

	it.each([
		[
			"a name that no edge leads to",
			{ name: "refund", arguments: '{"input":"x"}' },
			/nothing named "refund".*billing, faq/,
		],
		["arguments that are not JSON", { name: "faq", arguments: "{input" }, /must be JSON of the form/],
		["arguments without input", { name: "faq", arguments: '{"query":"x"}' }, /must be JSON of the form/],
	])("answers %s with an error that the model can act on", async (_, call, message) => {
		const { requests, events, result } = await runScripted(graph, {
			script: { desk: [{ toolCalls: [{ id: "c0", ...call }] }, "Done."] },
		});
		expect(requests[1]?.messages.at(-1)).toMatchObject({
			role: "tool",
			isError: true,
			content: expect.stringMatching(message),
		});
		expect(types(events)).toContain("tool.skipped");
		expect(result.output).toBe("Done.");
	});

	it("calls a node at most maxCalls times an invocation", async () => {
		const { requests } = await runScripted(graph, {
			script: { desk: [calls(["billing", "1"], ["billing", "2"]), calls(["billing", "3"]), "Done."] },
		});
		const desk = requests.filter(({ origin }) => origin?.node === "desk");
		expect(desk[2]?.messages.filter(({ role }) => role === "tool")).toMatchObject([
			{ content: "billing has nothing to say" },
			{ isError: true, content: expect.stringMatching(/has been called once, which/) },
			{ isError: true },
		]);
		expect(requests.filter(({ origin }) => origin?.node === "billing")).toHaveLength(1);
	});

	it("tells the caller's model when a callee fails, and goes on", async () => {
		const { result, requests } = await runScripted(graph, {
			script: { desk: [calls(["billing", "?"]), "Sorry."], billing: [new Error("no answer")] },
		});
		expect(requests.at(-1)?.messages.at(-1)).toMatchObject({
			isError: true,
			content: "model_failed: no answer",
		});
		expect(result.status).toBe("completed");
	});

	it("offers no calls in the last turn, and ignores calls made all the same", async () => {
		const once: AgentGraph = {
			...graph,
			nodes: graph.nodes.map((node) => (node.kind === "coordinator" ? { ...node, maxTurns: 2 } : node)),
		};
		const { requests, result } = await runScripted(once, {
			script: { desk: [calls(["faq", "1"]), { ...calls(["faq", "2"]), text: "Enough." }] },
		});
		expect(requests.map(({ toolChoice }) => toolChoice)).toEqual(["auto", "none"]);
		expect(result.output).toBe("Enough.");
		const silent = await runScripted(once, { script: { desk: [calls(["faq", "1"]), calls(["faq", "2"])] } });
		expect(silent.result.error?.code).toBe("max_turns");
	});

	it("reads a knowledge node once for one query in a run", async () => {
		let reads = 0;
		const { result } = await runScripted(graph, {
			script: { desk: [calls(["faq", "a"], ["faq", "a"]), calls(["faq", " a "]), "Done."] },
			ports: {
				retriever: {
					async retrieve() {
						reads += 1;
						return { passages: [] };
					},
				},
			},
		});
		expect(reads).toBe(1);
		expect(result.status).toBe("completed");
	});

	it("takes back text that turned out to come before a call", async () => {
		const { events, result } = await runScripted(graph, {
			script: { desk: [{ ...calls(["faq", "x"]), text: "Let me look." }, "Here."] },
		});
		expect(types(events)).toContain("text.reset");
		expect(result.output).toBe("Here.");
	});
});

describe("then", () => {
	it("passes the value on and takes the value of the continuation", async () => {
		const { result, events, requests } = await runScripted(
			{
				nodes: [
					{ id: "desk", kind: "coordinator" },
					{ id: "editor", kind: "agent" },
				],
				edges: [{ from: "desk", to: "editor", mode: "then" }],
			},
			{ script: { desk: ["Draft."], editor: ["Final."] } },
		);
		expect(result.output).toBe("Final.");
		expect(requests[1]?.messages).toEqual([{ role: "user", content: "Draft." }]);
		const deltas = events.filter((event) => event.type === "text.delta");
		expect(deltas).toMatchObject([
			{ node: "desk", final: false },
			{ node: "editor", final: true },
		]);
		const desk = events.find((event) => event.type === "node.completed" && event.node === "desk");
		expect(desk).toMatchObject({ output: "Final." });
	});

	it("runs several plain ones at once and gives an object keyed by node id", async () => {
		const { result } = await runScripted(
			{
				nodes: [
					{ id: "desk", kind: "coordinator" },
					{ id: "english", kind: "agent" },
					{ id: "german", kind: "agent" },
				],
				edges: [
					{ from: "desk", to: "english", mode: "then" },
					{ from: "desk", to: "german", mode: "then" },
				],
			},
			{ script: { english: ["Hello"], german: ["Hallo"] } },
		);
		expect(result.output).toEqual({ english: "Hello", german: "Hallo" });
	});

	const triage: AgentGraph = {
		nodes: [
			{ id: "desk", kind: "coordinator", output: { type: "object" } },
			{ id: "calm", kind: "agent" },
			{ id: "cheer", kind: "agent" },
			{ id: "other", kind: "agent" },
		],
		edges: [
			{ from: "desk", to: "calm", mode: "then", when: { path: "/mood", equals: "bad" } },
			{ from: "desk", to: "cheer", mode: "then", when: { path: "/mood", in: ["good", "great"] } },
			{ from: "desk", to: "other", mode: "then" },
		],
	};

	it.each([
		["bad", "calm"],
		["great", "cheer"],
		["none", "other"],
	])("takes the first branch of a switch that holds: %s", async (mood, node) => {
		const { result } = await runScripted(triage, { script: { desk: [JSON.stringify({ mood })] } });
		expect(result.output).toBe(`${node} has nothing to say`);
	});

	it("lets the node's own value stand when no branch is taken, and sends it as the answer", async () => {
		const { result } = await runScripted(
			{
				nodes: [
					{ id: "desk", kind: "coordinator" },
					{ id: "calm", kind: "agent" },
				],
				edges: [{ from: "desk", to: "calm", mode: "then", when: { path: "", equals: "bad" } }],
			},
			{ script: { desk: ["fine"] } },
		);
		expect(result.output).toBe("fine");
	});

	it("ends a loop through a switch when its guard no longer holds", async () => {
		let rounds = 0;
		const { result } = await runScripted(
			{
				nodes: [
					{ id: "desk", kind: "coordinator" },
					{ id: "again", kind: "agent" },
				],
				edges: [
					{ from: "desk", to: "again", mode: "then", when: { path: "", equals: "go" } },
					{ from: "again", to: "desk", mode: "then", when: { path: "", equals: "go" } },
				],
			},
			{ script: { desk: () => (++rounds < 5 ? "go" : "stop"), again: () => "go" } },
		);
		expect(result).toMatchObject({ status: "completed", output: "stop" });
		expect(rounds).toBe(5);
	});

	it("runs on a knowledge node's value too", async () => {
		const { result } = await runScripted(
			{
				nodes: [
					{ id: "desk", kind: "coordinator" },
					{ id: "faq", kind: "knowledge", knowledgeBases: ["faq"] },
					{ id: "digest", kind: "agent" },
				],
				edges: [
					{ from: "desk", to: "faq" },
					{ from: "faq", to: "digest", mode: "then" },
				],
			},
			{
				script: { desk: [calls(["faq", "x"]), "Done."], digest: ["short"] },
				passages: { x: [passage("a", "long")] },
			},
		);
		expect(result.status).toBe("completed");
	});
});

it("runs before, call and then together, with a receipt row a model call in call order", async () => {
	const { result } = await runScripted(
		{
			nodes: [
				{ id: "desk", kind: "coordinator" },
				{ id: "faq", kind: "knowledge", knowledgeBases: ["faq"] },
				{ id: "billing", kind: "agent" },
				{ id: "editor", kind: "agent" },
			],
			edges: [
				{ from: "desk", to: "faq", mode: "before" },
				{ from: "desk", to: "billing" },
				{ from: "desk", to: "editor", mode: "then" },
			],
		},
		{
			script: {
				desk: [calls(["billing", "?"]), "Paid [1]."],
				billing: ["It says paid [1]."],
				editor: ["Your invoice is paid [1]."],
			},
			passages: { hello: [passage("a", "The invoice is paid.")] },
		},
	);
	expect(result).toMatchObject({
		output: "Your invoice is paid [1].",
		citations: [{ support: "supported" }],
	});
	expect(result.receipt.map(({ node }) => node)).toEqual(["desk", "billing", "desk", "editor"]);
	expect(result.receipt[0]).toEqual({
		stage: "answer",
		node: "desk",
		payer: "workspace",
		provider: "scripted",
		vendor_host: "models.example",
		model: "script-1",
		input_tokens: 10,
		output_tokens: 5,
		ms: 0,
		attempts: 1,
		reason: "The script pays.",
	});
});
