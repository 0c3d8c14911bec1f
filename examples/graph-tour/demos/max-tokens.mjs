export const demo = {
	graph: {
		nodes: [
			{ id: "desk", kind: "coordinator", model: { maxOutputTokens: 50 } },
			{ id: "billing", kind: "agent", model: { maxOutputTokens: 50 } },
		],
		edges: [{ from: "desk", to: "billing" }],
		limits: { maxTokens: 250 },
	},
	input: "Why was I charged twice?",
	replies: { desk: [[["billing", "Find it."]], "It was invoice 7."], billing: ["Invoice 7."] },
};
