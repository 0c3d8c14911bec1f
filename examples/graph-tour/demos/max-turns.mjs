export const demo = {
	graph: {
		nodes: [
			{ id: "desk", kind: "coordinator", maxTurns: 2 },
			{ id: "billing", kind: "agent" },
		],
		edges: [{ from: "desk", to: "billing" }],
	},
	input: "Why was I charged twice?",
	replies: {
		desk: [
			[["billing", "Find it."]],
			{ text: "It was invoice 7.", toolCalls: [{ id: "c", name: "billing", arguments: "{}" }] },
		],
		billing: ["Invoice 7."],
	},
};
