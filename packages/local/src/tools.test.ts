import type { AgentGraph, ChatEvent, ChatModel, ChatRequest, ChatToolCall } from "@stemma/core";
import { describe, expect, it } from "vitest";
import { createLocalAgent, defineTool, type LocalTools } from "./index";

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
		const broken = defineTool({
			run() {
				throw new Error("The till is closed.");
			},
		});
		const lenient = { ...broken, parameters: { type: "object" } };
		const { result } = run({ refund_order: lenient }, { order: "A1" });
		expect((await result).output).toBe("tool_failed: The till is closed.");
	});

	it("end with the run", async () => {
		const controller = new AbortController();
		let given: AbortSignal | undefined;
		const slow = defineTool({
			parameters: { type: "object" },
			run(_, { signal }) {
				given = signal;
				controller.abort();
				return new Promise<undefined>(() => undefined);
			},
		});
		const { models } = callingModel({});
		const agent = createLocalAgent(graph, { ports: { models }, tools: { refund_order: slow } });
		const result = await agent.run({ input: "?", signal: controller.signal });
		expect([result.status, given?.aborted]).toEqual(["cancelled", true]);
	});

	it("are demanded before anything runs", () => {
		const { models } = callingModel();
		expect(() => createLocalAgent(graph, { ports: { models }, tools: { refund } })).toThrow(
			/^The graph calls tools that are not registered: "refund_order" \(the node "refund"/,
		);
		expect(() => createLocalAgent(graph, { ports: { models } })).toThrow(/not registered: "refund_order"/);
	});
});
