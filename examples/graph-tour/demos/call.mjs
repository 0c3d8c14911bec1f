export const demo = {
	graph: {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "billing", kind: "agent", description: "Knows invoices" },
			{ id: "handbook", kind: "knowledge", knowledgeBases: ["kb_handbook"] },
		],
		edges: [
			{ from: "desk", to: "billing", maxCalls: 1 },
			{ from: "desk", to: "handbook" },
		],
	},
	input: "Why was I charged twice?",
	passages: ["Double charges are paid back."],
	replies: {
		desk: [
			[
				["billing", "Find the double charge."],
				["handbook", "double charges"],
			],
			[["billing", "Look again."]],
			"You were charged twice, and it is paid back [1].",
		],
		billing: ["Invoice 7 was charged twice."],
	},
};
