/** Agents, tools and a model of a runtime that is the same on every platform. */
export const TOKEN = "t0ken";

const said = [];

/** Calls `refund` where it is asked to, waits where it is told to, and says what the tool gave, or what it was told. */
const model = {
	provider: "scripted",
	model: "script-1",
	vendorHost: "",
	generate: () => Promise.reject(new Error("Only streams are used here.")),
	async *stream({ messages }, options) {
		const last = messages.at(-1);
		if (last.role === "user" && last.content === "wait") await untilAborted(options?.signal);
		const isCall = last.role === "user" && last.content.startsWith("refund ");
		const text = isCall ? "" : `You said ${last.content}.`;
		for (const [word] of text.matchAll(/\S+\s*/g)) yield { type: "text.delta", text: word };
		const call = {
			id: "call_1",
			name: "refund",
			arguments: JSON.stringify({ order: last.content.slice(7) }),
		};
		const finishReason = isCall ? "tool_calls" : "stop";
		yield { type: "finish", reply: { text, toolCalls: isCall ? [call] : [], finishReason } };
	},
};

const untilAborted = (signal) =>
	new Promise((_, reject) => signal?.addEventListener("abort", () => reject(new Error("aborted"))));

const withRefund = (approval) => ({
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "refund", kind: "tool", tool: "refund", ...(approval ? { approval } : {}) },
	],
	edges: [{ from: "desk", to: "refund" }],
});

export const createOptions = (defineTool) => ({
	agents: {
		desk: withRefund(false),
		careful: withRefund(true),
		broken: {
			nodes: [
				{ id: "a", kind: "coordinator" },
				{ id: "t", kind: "tool", tool: "no_such_tool" },
			],
		},
	},
	ports: { models: { resolve: () => ({ model, payer: "none", reason: "It runs right here." }) } },
	tools: {
		refund: defineTool({
			parameters: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
			run: ({ order }) => {
				said.push(order);
				return `refunded ${order}`;
			},
		}),
	},
	token: TOKEN,
});
