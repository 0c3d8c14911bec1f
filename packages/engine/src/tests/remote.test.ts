import { type AgentGraph, type Citation, type ReceiptRow, type RunEvent, StemmaError } from "@stemma/core";
import { describe, expect, it, vi } from "vitest";
import type { AgentCallOptions, AgentOutcome } from "../index";
import {
	calls,
	manualHost,
	passage,
	receiptRow,
	runScripted,
	type Script,
	type ScriptedOptions,
	type ScriptedOutcome,
	scriptedAgents,
} from "../test-support/scripted";

const desk = { id: "desk", kind: "coordinator" } as const;
const legal = { id: "legal", kind: "remote", agentId: "ag_legal" } as const;
const faq = { id: "faq", kind: "knowledge", knowledgeBases: ["faq"] } as const;

const graphOf = (mode: "call" | "before" | "then", node: object = legal): AgentGraph =>
	({ nodes: [desk, node], edges: [{ from: "desk", to: "legal", mode }] }) as AgentGraph;

/** The coordinator reads the handbook first, and its last word is that of the agent. */
const withHandbook: AgentGraph = {
	nodes: [desk, faq, legal],
	edges: [
		{ from: "desk", to: "faq", mode: "before" },
		{ from: "desk", to: "legal", mode: "then" },
	],
};

const citation = (n: number, id: string, text: string): Citation => ({
	n,
	...passage(id, text),
	support: "supported",
});

function run(graph: AgentGraph, answer: ScriptedOutcome, options: ScriptedOptions = {}) {
	const agents = scriptedAgents({ legal: answer });
	const ports = { agents, ...options.ports };
	return runScripted(graph, { ...options, ports }).then((done) => ({
		...done,
		agentRequests: agents.requests,
	}));
}

const textOf = (events: readonly RunEvent[], node: string) =>
	events.flatMap((event) =>
		event.type === "text.delta" && event.node === node ? [[event.text, event.final] as const] : [],
	);

const toolReplies = (requests: readonly { messages: readonly { role: string; content: string }[] }[]) =>
	requests.at(-1)?.messages.filter(({ role }) => role === "tool");

describe("what a remote agent is asked", () => {
	const context = { customer: "Ada" };
	const both = { input: { order: 7 }, context };
	const service = { agent: { agentId: "ag_legal" }, context };
	const url = "https://legal.example/.well-known/agent-card.json";

	it.each<[string, object, ScriptedOptions, object]>([
		["an agent of the service: all of it", legal, both, { ...service, input: { order: 7 } }],
		[
			"an agent of the service: that its context is not to be trusted",
			legal,
			{ ...both, untrustedContext: true },
			{ ...service, input: { order: 7 }, untrustedContext: true },
		],
		[
			"an agent of others: its input alone",
			{ id: "legal", kind: "remote", url },
			both,
			{ agent: { url }, input: { order: 7 } },
		],
		[
			"an agent of the service: a conversation",
			legal,
			{ input: { messages: [{ role: "user", content: "Hi" }] }, context },
			{ ...service, input: { messages: [{ role: "user", content: "Hi" }] } },
		],
		[
			"an agent of others: of a conversation the last question",
			{ id: "legal", kind: "remote", url },
			{
				input: {
					messages: [
						{ role: "user", content: "Hi" },
						{ role: "assistant", content: "Yes?" },
						{ role: "user", content: "Is it?" },
					],
				},
				context,
			},
			{ agent: { url }, input: "Is it?" },
		],
		[
			"with the name of a secret",
			{ id: "legal", kind: "remote", url, auth: { secret: "counsel" } },
			{ input: "Hi", context },
			{ agent: { url }, secret: "counsel", input: "Hi" },
		],
	])("is, of %s", async (_, node, options, expected) => {
		const { agentRequests, result } = await run(graphOf("before", node), "Yes.", options);
		expect(agentRequests).toEqual([{ runId: result.run_id, node: "legal", invocation: 2, ...expected }]);
	});

	it("is a text where a model calls it, and a copy of its own", async () => {
		const input = { order: { lines: [1] } };
		const corrupt: ScriptedOutcome = async ({ input: args }) => {
			(args as unknown as typeof input).order.lines.push(2);
			return "Yes.";
		};
		const before = await run(graphOf("before"), corrupt, { input });
		expect(before.events[2]).toMatchObject({ type: "node.started", node: "legal", input });
		expect(before.result.status).toBe("completed");
		const script = { desk: [calls(["legal", "May we?"]), "We may."] };
		const called = await run(graphOf("call"), "Yes.", { script });
		expect(called.agentRequests[0]?.input).toBe("May we?");
		expect(called.requests[0]?.tools).toMatchObject([
			{ name: "legal", kind: "remote", parameters: { required: ["input"] } },
		]);
		expect(toolReplies(called.requests)).toMatchObject([{ content: "Yes." }]);
	});
});

describe("text of a remote agent that is the answer", () => {
	const terms = [citation(1, "terms", "Refunds take five days."), citation(2, "law", "By law, seven.")];

	it("is sent as it comes, with its own numbers, whatever the run has retrieved", async () => {
		const output = "Five days [1], by law seven [2]. See [1].";
		const { result, events } = await run(
			withHandbook,
			{ output, citations: terms },
			{ script: { desk: ["Ask counsel [1]."] }, passages: { hello: [passage("h", "Ask counsel.")] } },
		);
		expect(textOf(events, "legal")).toEqual(output.match(/\S+\s*/g)?.map((word) => [word, true]));
		expect(result.output).toBe(output);
		expect(result.citations.map(({ n, passage_id }) => [n, passage_id])).toEqual([
			[1, "psg_terms"],
			[2, "psg_law"],
		]);
		// The node's own value has the run's numbers, as that of a model node has.
		const completed = events.find((event) => event.type === "node.completed" && event.node === "legal");
		expect(completed).toMatchObject({ output: "Five days [2], by law seven [3]. See [2]." });
		expect(events.map(({ type }) => type)).not.toContain("text.reset");
	});

	it("is looked at for support anew, whatever the agent claims", async () => {
		const citations = [citation(1, "terms", "Something else altogether.")];
		const { result } = await run(graphOf("then"), { output: "Refunds take nine days [1].", citations });
		expect(result.citations).toMatchObject([{ n: 1, support: "weak" }]);
	});

	it("keeps its brackets where the agent cites nothing, although the run has passages", async () => {
		const output = "See [1] and [text][2].\n[2]: https://x.example";
		const { result, events } = await run(withHandbook, output, {
			passages: { hello: [passage("h", "Handbook."), passage("i", "More.")] },
		});
		expect(result).toMatchObject({ output, citations: [] });
		expect(events.map(({ type }) => type)).not.toContain("text.reset");
		expect(events.at(-2)).toMatchObject({ type: "node.completed", node: "desk", output });
	});

	it("is taken back at once, and may be as long again", async () => {
		const [draft, half] = ["d".repeat(200_000), "x".repeat(200_000)];
		const { events } = await run(graphOf("then"), { output: half, deltas: [draft, undefined, half] });
		const seen = events.flatMap((event) =>
			event.type === "text.reset" || (event.type === "text.delta" && event.final) ? [event] : [],
		);
		expect(seen).toMatchObject([
			{ node: "legal", text: draft },
			{ node: "legal", type: "text.reset" },
			{ node: "legal", text: half },
		]);
	});

	it.each<[string, ScriptedOutcome, string, readonly string[]]>([
		[
			"numbers as it likes",
			{ output: "Law [7], terms [3].", citations: [citation(3, "terms", "T"), citation(7, "law", "L")] },
			"Law [1], terms [2].",
			["psg_law", "psg_terms"],
		],
		[
			"cites what it does not give",
			{ output: "Terms [1], law [9].", citations: terms },
			"Terms [1], law.",
			["psg_terms"],
		],
		[
			"told another text",
			{ output: "Yes [1].", deltas: ["No, ", "never."], citations: terms },
			"Yes [1].",
			["psg_terms"],
		],
		["told some of it", { output: "Yes, we may.", deltas: ["Yes, "] }, "Yes, we may.", []],
		["told nothing", { output: "Yes, we may.", deltas: [] }, "Yes, we may.", []],
		["took it back", { output: "Yes.", deltas: ["Let me see. ", undefined, "Yes."] }, "Yes.", []],
	])("agrees with the result, also where the agent %s", async (_, answer, output, cited) => {
		// Every run checks that the final text since the last reset is the output.
		const { result, events } = await run(graphOf("then"), answer);
		expect(result.output).toBe(output);
		expect(result.citations.map(({ passage_id }) => passage_id)).toEqual(cited);
		const resets = events.filter(({ type }) => type === "text.reset").length;
		expect(resets).toBe(/Let me|never|\[7\]|\[9\]/.test(JSON.stringify(answer)) ? 1 : 0);
	});

	it("is taken back where the answer is JSON, and every text in that is read", async () => {
		const output = { terms: "Five days [2].", of: ["By law [1][2]."] };
		const { result, events } = await run(
			withHandbook,
			{ output, deltas: ["Looking. "], citations: terms },
			{ passages: { hello: [passage("h", "Handbook.")] } },
		);
		expect(events.map(({ type }) => type)).toContain("text.reset");
		expect(result.output).toEqual({ terms: "Five days [1].", of: ["By law [2][1]."] });
		expect(result.citations.map(({ passage_id }) => passage_id)).toEqual(["psg_law", "psg_terms"]);
	});

	it("is data as that of tools where it is JSON that cites nothing", async () => {
		const output = { text: "See [1]." };
		const { result } = await run(
			withHandbook,
			{ output },
			{
				passages: { hello: [passage("h", "Handbook.")] },
			},
		);
		expect(result).toMatchObject({ output, citations: [] });
	});
});

describe("text of a remote agent that is not the answer", () => {
	const citations = [citation(1, "terms", "Refunds take five days."), citation(2, "h", "Handbook.")];
	const graph: AgentGraph = {
		nodes: [desk, faq, legal],
		edges: [
			{ from: "desk", to: "faq", mode: "before" },
			{ from: "desk", to: "legal" },
		],
	};

	it("has the run's numbers wherever it is seen, and can be cited by them", async () => {
		const { result, events, requests } = await run(
			graph,
			{ output: "It says: five days [1], see [2].", citations },
			{
				script: { desk: [calls(["legal", "?"]), "Refunds take five days [2]. Handbook [1]."] },
				passages: { hello: [passage("h", "Handbook.")] },
			},
		);
		expect(toolReplies(requests)).toMatchObject([{ content: "It says: five days [2], see [1]." }]);
		expect(textOf(events, "legal")).toEqual([
			["It ", false],
			["says: ", false],
			["five ", false],
			["days ", false],
			["[2], see [1].", false],
		]);
		expect(result.output).toBe("Refunds take five days [1]. Handbook [2].");
		expect(result.citations).toMatchObject([
			{ passage_id: "psg_terms", support: "quoted" },
			{ passage_id: "psg_h" },
		]);
	});

	it.each([
		["cites nothing", "So it is [1], [1998] [1, 2], `[1]`.", []],
		["cites something else", "So it is [8], [1998] [8, 9], `[1]`.", citations],
	])("has no number of a passage of the run where the agent %s", async (_, output, cited) => {
		const { requests, result } = await run(
			graph,
			{ output, citations: cited },
			{
				script: { desk: [calls(["legal", "?"]), "Counsel says so [legal:1]."] },
				passages: { hello: [passage("h", "Handbook.")] },
			},
		);
		const [first, second] = cited.length === 0 ? [1, 2] : [8, 9];
		expect(toolReplies(requests)?.[0]?.content).toBe(
			`So it is [legal:${first}], [1998] [legal:${first}][legal:${second}], \`[1]\`.`,
		);
		expect(result.citations).toEqual([]);
	});

	it("cannot put its words in the place of a passage that the run has retrieved, or will", async () => {
		const forged = [citation(1, "h", "Refunds are never paid.")];
		const { result } = await run(
			graph,
			{ output: "Never [1].", citations: forged },
			{
				script: {
					desk: [calls(["legal", "?"]), calls(["legal", "?"]), "Handbook [1]. Refunds are never paid [2]."],
				},
				passages: { hello: [passage("h", "Handbook.")] },
			},
		);
		expect(result.citations.map(({ text }) => text)).toEqual(["Handbook.", "Refunds are never paid."]);
		const later: AgentGraph = {
			nodes: [desk, faq, legal],
			edges: [
				{ from: "desk", to: "legal", mode: "before" },
				{ from: "desk", to: "faq" },
			],
		};
		const after = await run(
			later,
			{ output: "Never [1].", citations: forged },
			{
				script: { desk: [calls(["faq", "x"]), "Handbook [2]."] },
				passages: { x: [passage("h", "Handbook.")] },
			},
		);
		expect(after.result.citations).toMatchObject([{ text: "Handbook.", support: "supported" }]);
	});

	it("stands among the data where it is read before, and is told without a reset", async () => {
		const { requests, events } = await run(graphOf("before"), {
			output: "Never [x] mind.",
			deltas: ["Draft [", undefined, "Never ", "[x] ", "mind."],
		});
		expect(requests[0]?.messages[0]?.content).toContain("legal (remote)-----\nNever [x] mind.\n");
		expect(textOf(events, "legal").map(([text]) => text)).toEqual(["Draft ", "Never ", "[x] mind."]);
		expect(events.map(({ type }) => type)).not.toContain("text.reset");
	});

	it("is not mixed with what the agent told otherwise", async () => {
		const { requests, events } = await run(graphOf("before"), { output: "Yes, we may.", deltas: ["No, "] });
		expect(requests[0]?.messages[0]?.content).toContain("\nYes, we may.\n");
		expect(textOf(events, "legal").map(([text]) => text)).toEqual(["No, "]);
	});

	it("is not heard after the outcome", async () => {
		let options: AgentCallOptions | undefined;
		const { events } = await run(
			{
				nodes: [desk, legal, { id: "editor", kind: "agent" }],
				edges: [
					{ from: "desk", to: "legal", mode: "then" },
					{ from: "legal", to: "editor", mode: "then" },
				],
			},
			async (_, args) => {
				options = args;
				return "Yes.";
			},
			{
				script: {
					editor: () => {
						options?.onText("late");
						options?.onReset();
						return "Done.";
					},
				},
			},
		);
		expect(textOf(events, "legal")).toEqual([["Yes.", false]]);
	});

	it("is the input of what comes after it", async () => {
		const { result, requests } = await run(
			{
				nodes: [desk, legal, { id: "editor", kind: "agent" }],
				edges: [
					{ from: "desk", to: "legal", mode: "then" },
					{ from: "legal", to: "editor", mode: "then" },
				],
			},
			{ output: "Five days [1].", citations },
			{ script: { desk: ["May we?"], editor: ["Refunds take five days [1]."] } },
		);
		expect(requests[1]?.messages).toEqual([{ role: "user", content: "Five days [1]." }]);
		expect(result).toMatchObject({
			output: "Refunds take five days [1].",
			citations: [{ passage_id: "psg_terms" }],
		});
	});

	it("stands among the values of a fan-out with numbers that agree", async () => {
		const fan: AgentGraph = {
			nodes: [desk, faq, legal, { id: "url", kind: "remote", url: "https://a.example" }],
			edges: [
				{ from: "desk", to: "faq", mode: "before" },
				{ from: "desk", to: "legal", mode: "then" },
				{ from: "desk", to: "url", mode: "then" },
			],
		};
		const agents = scriptedAgents({ legal: { output: "Five days [1].", citations }, url: "Footnote [1]." });
		const { result } = await runScripted(fan, {
			passages: { hello: [passage("h", "Handbook.")] },
			ports: { agents },
		});
		expect(result.output).toEqual({ legal: "Five days [1].", url: "Footnote [url:1]." });
		expect(result.citations).toMatchObject([{ passage_id: "psg_terms" }]);
	});
});

describe("the receipt of a remote agent", () => {
	const receipt = [
		receiptRow({ node: "desk", run_id: "run_theirs" }),
		receiptRow({ node: "clerk/desk", run_id: "run_deeper", input_tokens: 2 }),
		receiptRow({ payer: "external", output_tokens: 0 }),
	];
	const nested = [
		{ node: "legal/desk", run_id: "run_theirs" },
		{ node: "legal/clerk/desk", run_id: "run_deeper" },
		{ node: "legal", payer: "external" },
	];

	it("goes into that of the run, by path and run, and counts", async () => {
		const { result } = await run(graphOf("then"), { output: "Yes.", receipt });
		expect(result.receipt).toMatchObject([{ node: "desk" }, ...nested]);
		expect(result.usage).toEqual({ input_tokens: 26, output_tokens: 11, model_calls: 4, steps: 3 });
	});

	it("is kept where the agent failed", async () => {
		const error = Object.assign(new Error("It broke."), { receipt });
		const { result } = await run(graphOf("then"), error);
		expect(result).toMatchObject({
			status: "failed",
			error: { message: expect.stringContaining("It broke.") },
		});
		expect(result.receipt.slice(1)).toMatchObject(nested);
	});

	it("is kept where what the agent gave cannot be taken", async () => {
		const { result } = await run(graphOf("then"), { output: "x".repeat(250_001), deltas: [], receipt });
		expect(result.error?.code).toBe("remote_result_too_large");
		expect(result.receipt.slice(1)).toMatchObject(nested);
	});

	it("counts against the tokens of the run", async () => {
		const { result } = await run(
			graphOf("before"),
			{ output: "Yes.", receipt },
			{ limits: { maxTokens: 20 } },
		);
		expect(result.error?.code).toBe("max_tokens");
	});

	it("does no harm with figures that are none", async () => {
		const broken = [receiptRow({ input_tokens: Number.NaN, output_tokens: -5, run_id: "r" }), "row", null];
		const { result } = await run(graphOf("then"), { output: "Yes.", receipt: broken as never });
		expect(result.receipt.slice(1)).toMatchObject([{ input_tokens: 0, output_tokens: 0, estimated: true }]);
	});
});

describe("a remote agent that fails", () => {
	const late = new StemmaError("It is closed.", { code: "closed", hint: "Try tomorrow." });

	it("is told to the model that called it", async () => {
		const script = { desk: [calls(["legal", "?"]), "Sorry."] };
		const { result, requests } = await run(graphOf("call"), late, { script });
		expect(toolReplies(requests)).toMatchObject([{ content: "closed: It is closed.", isError: true }]);
		expect(result.status).toBe("completed");
	});

	it.each(["before", "then"] as const)("fails the node that it runs %s", async (mode) => {
		const { result } = await run(graphOf(mode), late);
		const relation = mode === "before" ? "before" : "after";
		expect(result.error).toEqual({
			code: "closed",
			message: `"legal", which runs ${relation} "desk", failed: It is closed.`,
			hint: "Try tomorrow.",
			details: { node: "legal" },
		});
	});

	const unreadable = new Proxy(
		{},
		{
			get: () => {
				throw new Error("evil");
			},
		},
	);
	it.each<[string, unknown, string, RegExp]>([
		["nothing", undefined, "port_result_invalid", /`agents` did not give `{ output }`/],
		["no output", {}, "port_result_invalid", /`{ output }` for the node "legal"/],
		[
			"output that is a function",
			{ output: () => 1 },
			"remote_result_invalid",
			/of type function is not JSON/,
		],
		["a BigInt", { output: { of: 1n } }, "remote_result_invalid", /"of" is a BigInt/],
		[
			"too long a text",
			{ output: "x".repeat(250_001) },
			"remote_result_too_large",
			/250,001 .* maximum is 250,000/,
		],
		["too much JSON", { output: ["x".repeat(250_000)] }, "remote_result_too_large", /250,004/],
		[
			"citations of another form",
			{ output: "", citations: [{ n: 1 }] },
			"port_result_invalid",
			/citations of the form/,
		],
		[
			"citations that are none",
			{ output: "", citations: "none" },
			"port_result_invalid",
			/citations of the form/,
		],
		[
			"numbers that are none",
			{ output: "", citations: [citation(0, "a", "A")] },
			"port_result_invalid",
			/citations/,
		],
		[
			"passages without end",
			{
				output: "",
				citations: [citation(1, "a", "x".repeat(600_000)), citation(2, "b", "x".repeat(600_000))],
			},
			"remote_result_too_large",
			/passages that it cites have 1,200,\d{3} characters/,
		],
		["what cannot be read", unreadable, "remote_failed", /evil/],
	])("is one that gives %s", async (_, outcome, code, message) => {
		const agents = { run: async () => outcome as AgentOutcome };
		const { result } = await runScripted(graphOf("then"), { ports: { agents } });
		expect(result.error).toMatchObject({ code, message: expect.stringMatching(message) });
	});

	it("says no more to a model than it needs", async () => {
		const script = { desk: [calls(["legal", "?"]), "Sorry."] };
		const { requests } = await run(graphOf("call"), new Error("x".repeat(5000)), { script });
		expect(toolReplies(requests)?.[0]?.content).toBe(`remote_failed: ${"x".repeat(1000)}…`);
	});
});

describe("a remote agent that is not wanted any more", () => {
	/** Tells a word, and waits; what it is given is kept. */
	function hanging() {
		const receivedOptions: AgentCallOptions[] = [];
		const ends: ((outcome: AgentOutcome) => void)[] = [];
		const agents = {
			run: (_: unknown, options: AgentCallOptions) => {
				receivedOptions.push(options);
				options.onText("So far so good. ");
				return new Promise<AgentOutcome>((resolve) => ends.push(resolve));
			},
		};
		return { agents, receivedOptions, ends };
	}

	it.each(["cancelled", "timeout"])("is aborted at once, and not heard any more: %s", async (ending) => {
		const { agents, receivedOptions, ends } = hanging();
		const host = manualHost();
		const controller = new AbortController();
		const seen: string[] = [];
		const running = runScripted(graphOf("then"), {
			host,
			ports: { agents },
			signal: controller.signal,
			limits: { timeoutMs: 50 },
			onEvent: ({ type }) => seen.push(type),
		});
		await expect.poll(() => receivedOptions).toHaveLength(1);
		if (ending === "cancelled") controller.abort();
		else host.advance(60);
		const { result } = await running;
		expect(result.error?.code ?? result.status).toBe(ending);
		expect(result.output).toBe("So far so good. ");
		expect(receivedOptions[0]?.signal.aborted).toBe(true);
		receivedOptions[0]?.onText("late");
		receivedOptions[0]?.onReset();
		ends[0]?.({ output: "late", receipt: [receiptRow({})] });
		await new Promise((resolve) => setTimeout(resolve, 1));
		expect(seen.at(-1)).toBe(ending === "cancelled" ? "run.cancelled" : "run.failed");
		expect(result.receipt).toHaveLength(1);
	});

	/** The desk goes on when the aide that it called has failed. */
	const aided = (...targets: readonly AgentGraph["nodes"][number][]): AgentGraph => ({
		nodes: [desk, { id: "aide", kind: "agent" }, ...targets],
		edges: [
			{ from: "desk", to: "aide" },
			...targets.map(({ id }) => ({ from: "aide", to: id, mode: "before" }) as const),
		],
	});
	const askAide = (question: string): Script => ({
		desk: async ({ messages }) => {
			await new Promise((resolve) => setTimeout(resolve, 1));
			return messages.length === 1 ? calls(["aide", question]) : "Sorry.";
		},
	});

	it.each<[string, (receipt: readonly ReceiptRow[]) => ScriptedOutcome]>([
		["failed", (receipt) => Object.assign(new Error("aborted"), { receipt })],
		["was done", (receipt) => ({ output: "late", receipt })],
	])("is aborted when a sibling fails, and paid for all the same: it %s", async (_, end) => {
		let signal: AbortSignal | undefined;
		const retrieve = async () => {
			await expect.poll(() => signal).toBeDefined();
			throw new Error("gone");
		};
		const { result, events } = await run(
			aided(legal, { ...faq, id: "slow" }),
			async (_, options) => {
				signal = options.signal;
				await new Promise((resolve) => signal?.addEventListener("abort", resolve));
				return end([receiptRow({ run_id: "run_theirs" })]);
			},
			{ script: askAide("?"), ports: { retriever: { retrieve } } },
		);
		expect(result.output).toBe("Sorry.");
		expect(signal?.aborted).toBe(true);
		expect(result.receipt.map(({ node }) => node).sort()).toEqual(["desk", "desk", "legal"]);
		expect(textOf(events, "legal")).toEqual([]);
	});

	it("is not begun when a sibling has failed before it could be", async () => {
		const look = { id: "look", kind: "tool", tool: "look", server: "https://m.example" } as const;
		const call = vi.fn();
		const describe = async () => ({
			parameters: { type: "object", properties: { of: { type: "string" } }, required: ["of"] },
		});
		// A blank is something to ask an agent and a tool, and nothing to look for.
		const { result, agentRequests } = await run(aided(legal, look, faq), "Yes.", {
			script: askAide(" "),
			ports: { tools: { describe, call } },
		});
		expect(result.output).toBe("Sorry.");
		expect(agentRequests).toEqual([]);
		expect(call).not.toHaveBeenCalled();
	});

	it("has nothing begun after the end, although it tells at once", async () => {
		const controller = new AbortController();
		let isOver = false;
		const agentRequests: boolean[] = [];
		const agents = {
			run: async (_: unknown, { onText }: AgentCallOptions) => {
				onText("Now.");
				return { output: "Now." };
			},
		};
		const graph: AgentGraph = {
			nodes: [desk, legal, { id: "aide", kind: "agent" }],
			edges: [
				{ from: "desk", to: "legal", mode: "before" },
				{ from: "desk", to: "aide", mode: "before" },
			],
		};
		const script = {
			aide: () => {
				agentRequests.push(isOver);
				return "Yes.";
			},
		};
		const { result } = await runScripted(graph, {
			script,
			ports: { agents },
			signal: controller.signal,
			onEvent: ({ type }) => {
				if (type === "text.delta") controller.abort();
				isOver ||= type === "run.cancelled";
			},
		});
		expect(result.status).toBe("cancelled");
		expect(agentRequests).toEqual([false]);
	});

	it("is stopped when it tells more than a result may be", async () => {
		let chunksSent = 0;
		let signal: AbortSignal | undefined;
		const { result, requests } = await run(
			graphOf("call"),
			async (_, options) => {
				signal = options.signal;
				while (!options.signal.aborted && chunksSent < 1000) {
					chunksSent += 1;
					options.onText("[".padEnd(10_000));
					await undefined;
				}
				return "";
			},
			{ script: { desk: [calls(["legal", "?"]), "Sorry."] } },
		);
		expect(toolReplies(requests)).toMatchObject([
			{ isError: true, content: expect.stringMatching(/^remote_result_too_large: .* was stopped/) },
		]);
		expect([result.output, chunksSent, signal?.aborted]).toEqual(["Sorry.", 26, true]);
	});

	it("leaves nothing on the signal of the run", async () => {
		const add = vi.spyOn(AbortSignal.prototype, "addEventListener");
		const remove = vi.spyOn(AbortSignal.prototype, "removeEventListener");
		await run(graphOf("then"), "Yes.");
		expect(add.mock.calls.length).toBe(1);
		expect(remove.mock.calls).toEqual(add.mock.calls.map(([type, listener]) => [type, listener]));
		vi.restoreAllMocks();
	});

	it("is not taken for text where it tells what is none", async () => {
		const { result } = await run(graphOf("then"), async (_, { onText }) => {
			for (const piece of [undefined, null, 7, "", {}]) onText(piece as never);
			return { output: "Yes.", deltas: [] };
		});
		expect(result.output).toBe("Yes.");
	});
});

it("ends a loop through remote agents at the limit of steps", async () => {
	const graph: AgentGraph = {
		nodes: [desk, legal],
		edges: [
			{ from: "desk", to: "legal", mode: "then", when: { path: "", exists: true } },
			{ from: "legal", to: "desk", mode: "then", when: { path: "", exists: true } },
		],
	};
	const { result } = await run(graph, "Again.", { limits: { maxSteps: 10 } });
	expect(result).toMatchObject({ error: { code: "max_steps" }, usage: { steps: 10 } });
});
