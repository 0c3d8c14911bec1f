import type { SimulatedReply } from "@stemma/simulators/openai";

/** Two tools of one server; the first does nothing without an approval. */
export const REFUND_TOOLS = ["refund", "look"].map((name) => ({
	name,
	inputSchema: { type: "object", properties: { order: { type: "number" } } },
}));

/** A desk that may refund an order once someone has approved it. */
export const toRefundGraph = (server: string, tool: object = {}): object => ({
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "refund", kind: "tool", tool: "refund", server, approval: true, ...tool },
	],
	edges: [{ from: "desk", to: "refund" }],
});

/** A model that wants these orders refunded, all in one turn. */
export const callRefund = (...orders: readonly number[]): SimulatedReply => ({
	kind: "reply",
	toolCalls: orders.map((order) => ({ id: `call_${order}`, name: "refund", arguments: { order } })),
});
