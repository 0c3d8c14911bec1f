import {
	type AgentGraph,
	type AgentNode,
	type ChatReply,
	type Json,
	type JsonSchema,
	StemmaError,
} from "@stemma/core";
import { describe, expect, it, vi } from "vitest";
import { MAX_OUTPUT_CHARACTERS, type ToolPort, type ToolRequest } from "../index";
import {
	calls,
	createScripted,
	manualHost,
	passage,
	runScripted,
	type ScriptedReply,
} from "../test-support/scripted";

const parameters: JsonSchema = {
	type: "object",
	properties: { order: { type: "string" }, account: { type: "string" }, days: { type: "number" } },
	required: ["order", "account"],
};

const refund = { id: "refund", kind: "tool", tool: "refund_order", arguments: { account: "main" } } as const;

const graphOf = (edge: object): AgentGraph =>
	({
		nodes: [{ id: "desk", kind: "coordinator" }, refund],
		edges: [{ from: "desk", to: "refund", ...edge }],
	}) as AgentGraph;

const calling = graphOf({ maxCalls: 2 });

/** Notes what it is asked for. */
function toolsOf(call: (request: ToolRequest, signal: AbortSignal) => Json | Promise<Json>) {
	const requests: ToolRequest[] = [];
	const port: ToolPort = {
		describe: async () => ({ description: "Pays back.", parameters }),
		async call(request, { signal }) {
			requests.push(request);
			return call(request, signal);
		},
	};
	return { port, requests };
}

const callsWith = (...texts: readonly string[]): Partial<ChatReply> => ({
	finishReason: "tool_calls",
	toolCalls: texts.map((text, index) => ({ id: `c${index}`, name: "refund", arguments: text })),
});

const toolReplies = (requests: readonly { messages: readonly { role: string; content: string }[] }[]) =>
	requests.at(-1)?.messages.filter(({ role }) => role === "tool");

describe("a tool that is called", () => {
	it("is offered with its own parameters, without those that are fixed, and answers with JSON", async () => {
		const tools = toolsOf(() => ({ paid: 7 }));
		const script = { desk: [callsWith('{"order":"A1","account":"other"}'), "Done."] };
		const run = await runScripted(calling, { script, ports: { tools: tools.port } });
		expect(run.result.output).toBe("Done.");
		expect(run.requests[0]?.tools).toEqual([
			{
				name: "refund",
				kind: "tool",
				description: "Pays back.",
				parameters: {
					type: "object",
					properties: { order: { type: "string" }, days: { type: "number" } },
					required: ["order"],
				},
			},
		]);
		expect(tools.requests).toEqual([
			{
				runId: run.result.run_id,
				node: "refund",
				invocation: 2,
				tool: "refund_order",
				arguments: { order: "A1", account: "main" },
			},
		]);
		expect(toolReplies(run.requests)).toMatchObject([{ callId: "c0", content: '{"paid":7}' }]);
		expect(run.events.filter(({ type }) => type !== "text.delta")).toMatchObject([
			{ type: "run.started" },
			{ type: "node.started", node: "desk" },
			{ type: "tool.called", callee: "refund", arguments: { order: "A1", account: "other" } },
			{ type: "node.started", node: "refund", kind: "tool", mode: "call", parent: 1 },
			{ type: "node.completed", node: "refund", output: { paid: 7 }, usage: { model_calls: 0, steps: 1 } },
			{ type: "node.completed", node: "desk" },
			{ type: "run.completed" },
		]);
	});

	it("tells its model what it threw", async () => {
		const tools = toolsOf(({ arguments: { order } }) => {
			if (order === "A1") throw new Error("no such order");
			throw new StemmaError("Too late.", { code: "too_late" });
		});
		const script = { desk: [callsWith('{"order":"A1"}', '{"order":"A2"}'), "Sorry."] };
		const run = await runScripted(calling, { script, ports: { tools: tools.port } });
		expect(toolReplies(run.requests)).toMatchObject([
			{ content: "tool_failed: no such order", isError: true },
			{ content: "too_late: Too late.", isError: true },
		]);
		expect(run.result.status).toBe("completed");
	});

	it.each([
		["what is no object", '["A1"]', "The arguments must be a JSON object."],
		["what is no JSON", "{order", "The arguments must be a JSON object."],
	])("is not called with %s", async (_, text, content) => {
		const tools = toolsOf(() => "no");
		const script = { desk: [callsWith(text), "Sorry."] };
		const run = await runScripted(calling, { script, ports: { tools: tools.port } });
		expect(toolReplies(run.requests)).toMatchObject([{ content, isError: true }]);
		expect(tools.requests).toEqual([]);
	});

	it("is called with nothing where the model says nothing", async () => {
		const tools = toolsOf(() => "yes");
		const script = { desk: [callsWith(""), "Done."] };
		await runScripted(calling, { script, ports: { tools: tools.port } });
		expect(tools.requests[0]?.arguments).toEqual({ account: "main" });
	});

	it("is told apart from its events, which keep what the model said", async () => {
		const argumentsJson = '{"order":"A1","lines":[{"n":1}]}';
		const fixed = { id: "refund", kind: "tool", tool: "t", arguments: { of: { lines: [1] } } } as const;
		const graph: AgentGraph = {
			nodes: [{ id: "desk", kind: "coordinator" }, fixed],
			edges: [{ from: "desk", to: "refund" }],
		};
		const tools = toolsOf(({ arguments: args }) => {
			const { lines, of } = args as unknown as { lines: unknown[]; of: { lines: unknown[] } };
			lines.push("more");
			of.lines.push("more");
			return "ok";
		});
		const script = { desk: [callsWith(argumentsJson, argumentsJson), "Done."] };
		const run = await runScripted(graph, { script, ports: { tools: tools.port } });
		expect(toolReplies(run.requests)).toMatchObject([{ content: "ok" }, { content: "ok" }]);
		const called = run.events.filter(({ type }) => type === "tool.called");
		expect(called).toMatchObject([
			{ arguments: JSON.parse(argumentsJson) },
			{ arguments: JSON.parse(argumentsJson) },
		]);
		expect(run.events.filter(({ type }) => type === "node.started")).toMatchObject([
			{ node: "desk" },
			{ node: "refund", input: JSON.parse(argumentsJson) },
			{ node: "refund", input: JSON.parse(argumentsJson) },
		]);
	});
});

describe("a tool of an MCP server", () => {
	const server = "https://billing.example/mcp";
	const graph: AgentGraph = {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ ...refund, server, auth: { secret: "billing" } },
		],
		edges: [{ from: "desk", to: "refund" }],
	};
	const serverSchema: JsonSchema = {
		$schema: "https://json-schema.org/draft/2020-12/schema",
		type: "object",
		properties: { order: { $ref: "#/$defs/order" }, account: { type: "string" } },
		required: ["account", "order"],
		$defs: { order: { type: "string", pattern: "^A" } },
		"x-mcp-header": true,
	};

	it("is described and called as any tool, with its server and the name of its secret", async () => {
		const tools = toolsOf(() => ({ paid: 7 }));
		const describe = vi.fn(async () => ({ parameters: serverSchema }));
		const script = { desk: [callsWith('{"order":"A1"}'), "Done."] };
		const run = await runScripted(graph, { script, ports: { tools: { ...tools.port, describe } } });
		const reference = { node: "refund", tool: "refund_order", server, secret: "billing" };
		expect(describe).toHaveBeenCalledExactlyOnceWith(reference, { signal: expect.any(AbortSignal) });
		const { run_id: runId } = run.result;
		expect(tools.requests).toEqual([
			{ ...reference, runId, invocation: 2, arguments: { order: "A1", account: "main" } },
		]);
		expect(run.requests[0]?.tools?.[0]?.parameters).toEqual({
			...serverSchema,
			properties: { order: { $ref: "#/$defs/order" } },
			required: ["order"],
		});
		expect(toolReplies(run.requests)).toMatchObject([{ content: '{"paid":7}' }]);
	});

	it("tells its model what the server refused, or that it gave too much", async () => {
		const tools = toolsOf(({ arguments: { order } }) => {
			if (order === "A1")
				throw new StemmaError("No such order.", { code: "tool_error", hint: "Look it up." });
			return order === "A2" ? "x".repeat(MAX_OUTPUT_CHARACTERS + 1) : "x".repeat(MAX_OUTPUT_CHARACTERS);
		});
		const argumentsJson = ["A1", "A2", "A3"].map((order) => JSON.stringify({ order }));
		const script = { desk: [callsWith(...argumentsJson), "Sorry."] };
		const run = await runScripted(graph, { script, ports: { tools: tools.port } });
		expect(toolReplies(run.requests)).toMatchObject([
			{ isError: true, content: "tool_error: No such order. Look it up." },
			{ isError: true, content: expect.stringMatching(/^tool_result_too_large: .* Ask it for less/) },
			{ content: "x".repeat(250_000) },
		]);
		expect(run.result.status).toBe("completed");
	});
});

describe("what a model is shown of a tool", () => {
	const property = { type: "string" };
	it.each<[string, JsonSchema, JsonSchema]>([
		[
			"allOf",
			{ allOf: [{ properties: { account: property, order: property }, required: ["account"] }] },
			{ allOf: [{ properties: { order: property }, required: [] }] },
		],
		[
			"anyOf and oneOf",
			{ anyOf: [true, { oneOf: [{ required: ["account", "order"] }] }] },
			{ anyOf: [true, { oneOf: [{ required: ["order"] }] }] },
		],
		[
			"what only it takes part in",
			{ examples: [{ account: "x" }], not: { required: ["account"] }, additionalProperties: false },
			{ additionalProperties: false },
		],
		[
			"no part of another argument",
			{ properties: { of: { properties: { account: property } } } },
			{ properties: { of: { properties: { account: property } } } },
		],
	])("leaves out what is fixed: %s", async (_, more, shown) => {
		const port: ToolPort = {
			describe: async () => ({ parameters: { type: "object", ...more } }),
			call: async () => "no",
		};
		const run = await runScripted(calling, { script: { desk: ["Done."] }, ports: { tools: port } });
		expect(run.requests[0]?.tools?.[0]?.parameters).toEqual({ type: "object", ...shown });
	});
});

describe("what a tool gives", () => {
	const callAndReadResult = async (call: () => unknown) => {
		const tools = toolsOf(call as () => Json);
		const script = { desk: [callsWith("{}"), "Done."] };
		const run = await runScripted(calling, { script, ports: { tools: tools.port } });
		expect(run.result.status).toBe("completed");
		return toolReplies(run.requests)?.[0];
	};
	const cycle: Record<string, unknown> = {};
	cycle.self = cycle;

	it.each<[string, unknown, string]>([
		["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
		["a date within", { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
		["fields without a value", { a: undefined, b: 1 }, '{"b":1}'],
		[
			"an object of a class",
			new (class Money {
				amount = 7;
			})(),
			'{"amount":7}',
		],
		["what says how it is written", { toJSON: () => "seven" }, "seven"],
		["nothing", undefined, "null"],
		["a long text", "x".repeat(250_000), "x".repeat(250_000)],
	])("is told as JSON has it: %s", async (_, value, content) => {
		expect(await callAndReadResult(() => value)).toEqual({
			role: "tool",
			callId: "c0",
			name: "refund",
			content,
		});
	});

	const unreadable = {
		get total(): never {
			throw new Error("secret");
		},
	};
	it.each<[string, unknown, RegExp]>([
		["a BigInt", { of: { total: 1n } }, /Its "total" is a BigInt/],
		["a cycle", cycle, /It contains itself/],
		["a map", { found: new Map([[1, 2]]) }, /Its "found" is an object of a class/],
		["what throws when read", unreadable, /reading it threw/],
		["a function", () => 1, /A value of type function/],
		[
			"a key that changes prototypes",
			JSON.parse('{"a":{"__proto__":1}}'),
			/At a\["?__proto__|At a\.__proto__/,
		],
		["too much", { text: "x".repeat(250_000) }, /as JSON it has 250,011 characters; the maximum is 250,000/],
	])("was carried out, also where it cannot be shown: %s", async (_, value, reason) => {
		const reply = await callAndReadResult(() => value);
		expect(reply).toMatchObject({ isError: true, content: expect.stringMatching(reason) });
		expect(reply?.content).toMatch(
			/^tool_result_(invalid|too_large): The tool "refund_order" was carried out, but its result cannot be shown/,
		);
		expect(reply?.content).toMatch(/Do not (call it again|repeat)/);
		expect(reply?.content).not.toContain("secret");
	});

	it.each<[string, () => never, string]>([
		[
			"a long message",
			() => {
				throw new Error(`${"x".repeat(999)}😀${"y".repeat(5e6)}`);
			},
			`tool_failed: ${"x".repeat(999)}…`,
		],
		[
			"a message, and what to do",
			() => {
				throw new StemmaError("Closed.", { code: "closed", hint: "Try tomorrow." });
			},
			"closed: Closed. Try tomorrow.",
		],
		[
			"no message",
			() => {
				throw new Error("");
			},
			"tool_failed: An error without a message was thrown.",
		],
		[
			"what cannot be read",
			() => {
				throw new Proxy({}, { get: throwing, getPrototypeOf: throwing });
			},
			"tool_failed: What was thrown cannot be read.",
		],
		[
			"a message that cannot be read",
			() => {
				throw Object.defineProperty(new Error(), "message", { get: throwing });
			},
			"tool_failed: What was thrown cannot be read.",
		],
	])("may be an error: %s", async (_, call, content) => {
		expect(await callAndReadResult(call)).toMatchObject({ isError: true, content });
	});
});

const throwing = (): never => {
	throw new Error("evil");
};

describe("a tool before and after", () => {
	it.each([
		["text for its only text", "A1", { order: "A1", account: "main" }],
		["an object", { order: "A1", days: 2 }, { order: "A1", days: 2, account: "main" }],
		[
			"of a conversation the last question",
			{
				messages: [
					{ role: "user", content: "Hello" },
					{ role: "assistant", content: "Yes?" },
					{ role: "user", content: "A1" },
				],
			},
			{ order: "A1", account: "main" },
		],
	])("takes %s", async (_, input, expected) => {
		const tools = toolsOf(() => "paid");
		const graph = graphOf({ mode: "before" });
		const run = await runScripted(graph, { input, script: { desk: ["Ok."] }, ports: { tools: tools.port } });
		expect(tools.requests[0]?.arguments).toEqual(expected);
		expect(run.requests[0]?.messages[0]?.content).toContain("refund (tool)-----\npaid\n");
	});

	it("takes a conversation as it is where it has messages as an argument", async () => {
		const tools = toolsOf(() => "paid");
		const describe = async () => ({ parameters: { type: "object", properties: { messages: {} } } as const });
		const input = { messages: [{ role: "user", content: "A1" }] };
		const ports = { tools: { ...tools.port, describe } };
		await runScripted(graphOf({ mode: "before" }), { input, script: { desk: ["Ok."] }, ports });
		expect(tools.requests[0]?.arguments).toEqual({ ...input, account: "main" });
	});

	it.each([
		["no object", [1]],
		["a number", 1],
	])("fails its node for %s", async (_, input) => {
		const tools = toolsOf(() => "paid");
		const run = await runScripted(graphOf({ mode: "before" }), { input, ports: { tools: tools.port } });
		expect(run.result.error).toMatchObject({ code: "input_not_object", details: { node: "refund" } });
		expect(tools.requests).toEqual([]);
	});

	it("gives the run's output as it is, brackets too", async () => {
		const graph: AgentGraph = {
			nodes: [
				{ id: "desk", kind: "coordinator" },
				{ id: "faq", kind: "knowledge", knowledgeBases: ["a"] },
				refund,
			],
			edges: [
				{ from: "desk", to: "faq", mode: "before" },
				{ from: "desk", to: "refund", mode: "then" },
			],
		};
		const run = await runScripted(graph, {
			script: { desk: ["A1"] },
			passages: { hello: [passage("1", "One."), passage("2", "Two.")] },
			ports: { tools: toolsOf(() => ({ text: "See [2]." })).port },
		});
		expect(run.result).toMatchObject({ output: { text: "See [2]." }, citations: [] });
	});

	const faq: AgentNode = { id: "faq", kind: "knowledge", knowledgeBases: ["a"] };
	const passages = { hello: [passage("1", "One."), passage("2", "Two.")] };
	const first = { from: "desk", to: "faq", mode: "before" } as const;

	it("gives text as it is, too, and tells of it once", async () => {
		const { result, events } = await runScripted(
			{
				nodes: [{ id: "desk", kind: "coordinator" }, faq, refund],
				edges: [first, { from: "desk", to: "refund", mode: "then" }],
			},
			{ script: { desk: ["A1 [1]."] }, passages, ports: { tools: toolsOf(() => "See [2] and [7].").port } },
		);
		expect(result).toMatchObject({ output: "See [2] and [7].", citations: [] });
		expect(events.filter((event) => event.type === "text.delta" && event.final)).toMatchObject([
			{ node: "desk", text: "See [2] and [7]." },
		]);
	});

	it("gives its part of a fan-out as it is, beside an agent's with citations, whatever is handed over or saved", async () => {
		const { engine } = createScripted(
			{
				nodes: [
					{ id: "desk", kind: "coordinator" },
					faq,
					refund,
					{ ...refund, id: "late", approval: true },
					{ id: "clerk", kind: "agent" },
					{ id: "again", kind: "agent" },
				],
				edges: [
					first,
					{ from: "desk", to: "clerk", mode: "handoff" },
					{ from: "clerk", to: "refund", mode: "then" },
					{ from: "clerk", to: "again", mode: "then" },
					{ from: "clerk", to: "late", mode: "then" },
				],
			},
			{
				script: { desk: [calls(["clerk", "Go."])], clerk: ["A1"], again: ["So it is [2], not [7]."] },
				passages,
				ports: { tools: toolsOf(() => "So it is [2], not [7].").port },
			},
		);
		const run = engine.start({ input: "hello" });
		const { approvals = [] } = await run.result;
		const decisions = approvals.map(({ id }) => ({ approval_id: id, decision: "approve" as const }));
		const { output, citations } = await engine.resume(run.serialize(), { decisions }).result;
		const callAndReadResult = "So it is [2], not [7].";
		expect(output).toEqual({
			refund: callAndReadResult,
			again: "So it is [1], not.",
			late: callAndReadResult,
		});
		expect(citations.map(({ passage_id }) => passage_id)).toEqual(["psg_2"]);
	});
});

describe("the end of a run", () => {
	it("aborts a tool at once, and hears no more of it", async () => {
		const host = manualHost();
		let signal: AbortSignal | undefined;
		let answer = (_: Json): void => undefined;
		const tools = toolsOf((_, its) => {
			signal = its;
			return new Promise((resolve) => {
				answer = resolve;
			});
		});
		const controller = new AbortController();
		const run = runScripted(calling, {
			host,
			script: { desk: [callsWith("{}")] },
			ports: { tools: tools.port },
			signal: controller.signal,
		});
		await expect.poll(() => signal).toBeDefined();
		controller.abort();
		expect((await run).result.status).toBe("cancelled");
		expect(signal?.aborted).toBe(true);
		answer("late");
	});

	it("aborts the signal of a tool that has answered", async () => {
		let signal: AbortSignal | undefined;
		const seen: (boolean | undefined)[] = [];
		const tools = toolsOf((_, its) => {
			signal = its;
			return "ok";
		});
		const desk = (): ScriptedReply => {
			seen.push(signal?.aborted);
			return seen.length === 1 ? callsWith("{}") : "Done.";
		};
		const run = await runScripted(calling, { script: { desk }, ports: { tools: tools.port } });
		expect([run.result.status, ...seen, signal?.aborted]).toEqual(["completed", undefined, false, true]);
	});
});

describe("a tool that describes itself anew", () => {
	it.each<[string, (schema: Record<string, Json>) => void]>([
		["as before", () => undefined],
		["with another value in the same object", (schema) => Object.assign(schema, { title: "New" })],
		["with one member less", (schema) => delete schema.required],
		["with a part of another kind", (schema) => Object.assign(schema, { required: {} })],
		["with a shorter list", (schema) => Object.assign(schema, { required: ["order"] })],
	])("%s is offered to the next run as it is now", async (_, change) => {
		const schema: Record<string, Json> = { ...parameters, title: "Old" };
		const tools: ToolPort = { describe: async () => ({ parameters: schema }), call: async () => null };
		const graph: AgentGraph = {
			...calling,
			nodes: [
				{ id: "desk", kind: "coordinator" },
				{ id: "refund", kind: "tool", tool: "refund_order" },
			],
		};
		const { engine, requests } = createScripted(graph, { ports: { tools } });
		await engine.run({ input: "first" });
		change(schema);
		await engine.run({ input: "second" });
		expect(requests.at(-1)?.tools?.[0]?.parameters).toStrictEqual(schema);
	});

	it("badly ends the next run alone", async () => {
		const schema: Record<string, unknown> = { ...parameters };
		const describe = async () => ({ parameters: schema as JsonSchema });
		const { engine } = createScripted(calling, { ports: { tools: { describe, call: async () => null } } });
		expect(await engine.run({ input: "first" })).toMatchObject({ status: "completed" });
		schema.required = new Map();
		expect(await engine.run({ input: "second" })).toMatchObject({ error: { code: "port_result_invalid" } });
		schema.required = [];
		expect(await engine.run({ input: "third" })).toMatchObject({ status: "completed" });
	});
});

describe("before a run is paid for", () => {
	it("the parameters of its tools count as what a model is sent", async () => {
		const large: JsonSchema = { type: "object", description: "long ".repeat(1000) };
		const port: ToolPort = { describe: async () => ({ parameters: large }), call: async () => "no" };
		const { result } = await runScripted(calling, { ports: { tools: port }, limits: { maxTokens: 1000 } });
		expect(result.error?.code).toBe("max_tokens");
	});

	it("parameters that are not JSON are told, with the tool", async () => {
		const parameters: Record<string, unknown> = { type: "object" };
		parameters.properties = { self: parameters };
		const port: ToolPort = {
			describe: async () => ({ parameters: parameters as JsonSchema }),
			call: async () => "",
		};
		const { result } = await runScripted(calling, { ports: { tools: port } });
		expect(result.error?.message).toMatch(
			/parameters of the tool "refund_order" that are JSON: at properties\.self/,
		);
	});

	it("all tools are described, and those that cannot be end it", async () => {
		const graph: AgentGraph = {
			nodes: [
				{ id: "desk", kind: "coordinator" },
				refund,
				{ id: "other", kind: "tool", tool: "other" },
				{ id: "unreached", kind: "tool", tool: "unreached" },
			],
			edges: [
				{ from: "desk", to: "refund" },
				{ from: "desk", to: "other" },
			],
		};
		const port: ToolPort = {
			describe: async ({ tool }) => {
				if (tool === "other") return {} as never;
				throw new StemmaError(`No ${tool}.`, { code: "tool_missing" });
			},
			call: () => Promise.reject(new Error("not called")),
		};
		const { result, requests } = await runScripted(graph, { ports: { tools: port } });
		expect(result.error?.code).toBe("tool_missing");
		expect(result.error?.message).toMatch(/^No tool for "refund": No refund_order\. "other": .*`tools`/);
		expect(requests).toEqual([]);
	});
});
