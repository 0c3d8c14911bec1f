import { defineTool } from "@stemma/local";

const refund = defineTool({
	description: "Pays an order back",
	parameters: {
		type: "object",
		properties: { order: { type: "string" }, currency: { type: "string" } },
		required: ["order", "currency"],
	},
	run: ({ order, currency }) => {
		if (order !== "A1") throw new Error(`There is no order ${order}.`);
		return { order, paid: `20 ${currency}` };
	},
});

export const demo = {
	graph: {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			// The model neither sees nor chooses the currency.
			{ id: "refund", kind: "tool", tool: "refund_order", arguments: { currency: "EUR" } },
		],
		edges: [{ from: "desk", to: "refund", maxCalls: 2 }],
	},
	tools: { refund_order: refund },
	input: "Refund order A1, please.",
	replies: {
		desk: [[["refund", { order: "A2" }]], [["refund", { order: "A1" }]], "20 EUR are on their way."],
	},
};
