import {
	type AgentGraph,
	type ChatEvent,
	type ChatModel,
	type ChatRequest,
	type ChatToolCall,
	StemmaError,
} from "@stemma/core";
import { describe, expect, it } from "vitest";
import { createLocalAgent, defineTool, type LocalTools } from "../index";

const graph: AgentGraph = {
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "refund", kind: "tool", tool: "refund_order", arguments: { account: "main" } },
	],
	edges: [{ from: "desk", to: "refund" }],
};

/** Calls what it is told to call, one call a turn, and then quotes what came back. */
function callingModel(...calls: readonly object[]) {
	const requests: ChatRequest[] = [];
	const model: ChatModel = {
		provider: "calling",
		model: "c",
		vendorHost: "",
		generate: () => Promise.reject(new Error("not used")),
		async *stream(request): AsyncGenerator<ChatEvent> {
			requests.push({ ...request, messages: [...request.messages] });
			const args = calls[requests.length - 1];
			const toolCalls: ChatToolCall[] =
				args === undefined ? [] : [{ id: "c1", name: "refund", arguments: JSON.stringify(args) }];
			const text = args === undefined ? (request.messages.at(-1)?.content ?? "") : "";
			yield { type: "finish", reply: { text, toolCalls, finishReason: "stop" } };
		},
	};
	return { requests, models: { resolve: () => ({ model, payer: "none" as const, reason: "In the test." }) } };
}

const refund = defineTool({
	description: "Pays back.",
	parameters: {
		type: "object",
		properties: { order: { type: "string" }, account: { type: "string" } },
		required: ["order", "account"],
	},
	run: ({ order, account }) => `${order} from ${account}`,
});

const run = (tools: LocalTools, ...calls: readonly object[]) => {
	const { models, requests } = callingModel(...calls);
	const agent = createLocalAgent(graph, { ports: { models }, tools });
	return { requests, result: agent.run({ input: "Pay A1 back." }) };
};

describe("tools in code", () => {
	it("are offered and called, with the arguments that the graph fixes", async () => {
		const { requests, result } = run({ refund_order: refund }, { order: "A1", account: "theirs" });
		expect((await result).output).toBe("A1 from main");
		expect(requests[0]?.tools).toMatchObject([
			{
				name: "refund",
				description: "Pays back.",
				parameters: { properties: { order: {} }, required: ["order"] },
			},
		]);
	});

	it("are called before an agent with nothing, where they take nothing", async () => {
		const { models } = callingModel();
		const agent = createLocalAgent(
			{
				nodes: [
					{ id: "desk", kind: "coordinator" },
					{ id: "clock", kind: "tool", tool: "clock" },
				],
				edges: [{ from: "desk", to: "clock", mode: "before" }],
			},
			{
				ports: { models },
				tools: { clock: defineTool({ run: (receivedArgs) => ({ receivedArgs, time: "noon" }) }) },
			},
		);
		const events = [];
		for await (const event of agent.stream({ input: "What time is it?" })) events.push(event);
		expect(events).toContainEqual(
			expect.objectContaining({
				type: "node.completed",
				node: "clock",
				output: { receivedArgs: {}, time: "noon" },
			}),
		);
	});

	it("are called again when the model has mended its arguments", async () => {
		const { requests, result } = run({ refund_order: refund }, { order: 1 }, { order: "A1" });
		expect((await result).output).toBe("A1 from main");
		expect(requests[1]?.messages.at(-1)).toMatchObject({
			role: "tool",
			isError: true,
			content: expect.stringMatching(/^arguments_invalid: .*\/order: .*string/),
		});
	});

	it("tell the model what they throw", async () => {
		const withoutRun = defineTool({
			run() {
				throw new Error("The till is closed.");
			},
		});
		const lenient = { ...withoutRun, parameters: { type: "object" } };
		const { result } = run({ refund_order: lenient }, { order: "A1" });
		expect((await result).output).toBe("tool_failed: The till is closed.");
	});

	it("tell the model what to do about it", async () => {
		const closed = defineTool({
			parameters: { type: "object" },
			run() {
				throw new StemmaError("The till is closed.", { code: "closed", hint: "Try tomorrow." });
			},
		});
		const { result } = run({ refund_order: closed }, { order: "A1" });
		expect((await result).output).toBe("closed: The till is closed. Try tomorrow.");
	});

	it("are carried out once where they give a date, or what cannot be shown", async () => {
		const paid: string[] = [];
		const tool = (give: () => unknown) =>
			defineTool({
				parameters: { type: "object" },
				run() {
					paid.push("once");
					return give();
				},
			});
		const dated = run({ refund_order: tool(async () => ({ at: new Date(0), by: undefined })) }, {});
		expect((await dated.result).output).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
		const large = run({ refund_order: tool(() => ({ total: 1n })) }, {});
		expect((await large.result).output).toBe(
			'tool_result_invalid: The tool "refund_order" was carried out, but its result cannot be shown. Its "total" is a BigInt, which JSON does not have. Do not call it again to see the result. Its code has to give text, or plain data.',
		);
		expect(paid).toEqual(["once", "once"]);
	});

	it("may change their arguments, also fixed ones and those of a run's input", async () => {
		const parameters = { type: "object", properties: { lines: { type: "array" }, account: {} } };
		const changing = defineTool({
			parameters,
			run({ lines }: { lines: number[] }) {
				lines.push(2);
				return lines;
			},
		});
		const input = { lines: [1] };
		const { models } = callingModel();
		const before: AgentGraph = { ...graph, edges: [{ from: "desk", to: "refund", mode: "before" }] };
		const agent = createLocalAgent(before, { ports: { models }, tools: { refund_order: changing } });
		const result = await agent.run({ input });
		expect([result.status, input]).toEqual(["completed", { lines: [1] }]);
	});

	it("hear of the end of a run that they have answered in", async () => {
		let receivedArgs: AbortSignal | undefined;
		const quick = defineTool({
			parameters: { type: "object" },
			run(_, { signal }) {
				receivedArgs = signal;
				return signal.aborted;
			},
		});
		const { result } = run({ refund_order: quick }, {});
		expect([(await result).output, receivedArgs?.aborted]).toEqual(["false", true]);
	});

	it("end with the run", async () => {
		const controller = new AbortController();
		let receivedArgs: AbortSignal | undefined;
		const slow = defineTool({
			parameters: { type: "object" },
			run(_, { signal }) {
				receivedArgs = signal;
				controller.abort();
				return new Promise<undefined>(() => undefined);
			},
		});
		const { models } = callingModel({});
		const agent = createLocalAgent(graph, { ports: { models }, tools: { refund_order: slow } });
		const result = await agent.run({ input: "?", signal: controller.signal });
		expect([result.status, receivedArgs?.aborted]).toEqual(["cancelled", true]);
	});

	it("are demanded before anything runs", () => {
		const { models } = callingModel();
		expect(() => createLocalAgent(graph, { ports: { models }, tools: { refund } })).toThrow(
			/^The graph calls tools that are not registered: "refund_order" \(the node "refund"/,
		);
		expect(() => createLocalAgent(graph, { ports: { models } })).toThrow(/not registered: "refund_order"/);
	});
});
