import { defineTool } from "@stemma/local";

const refund = defineTool({
	description: "Pays an order back",
	parameters: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
	run: ({ order }) => ({ order, paid: "20 EUR" }),
});

export const demo = {
	graph: {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "refund", kind: "tool", tool: "refund_order", approval: true },
		],
		edges: [{ from: "desk", to: "refund" }],
	},
	tools: { refund_order: refund },
	input: "Refund A1 and A2, please.",
	replies: {
		desk: [
			[
				["refund", { order: "A1" }],
				["refund", { order: "A2" }],
			],
			"A1 is paid back. A2 was too long ago.",
		],
	},
	// Here a function decides; it could be a person, an hour later.
	onApproval: (approval) =>
		approval.arguments.order === "A1" ? "approve" : { decision: "deny", reason: "A2 is older than 30 days." },
};
