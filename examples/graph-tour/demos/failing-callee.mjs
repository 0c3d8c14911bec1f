export const demo = {
	graph: {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "billing", kind: "agent" },
		],
		edges: [{ from: "desk", to: "billing" }],
	},
	input: "Why was I charged twice?",
	replies: {
		desk: [[["billing", "Find the double charge."]], "I cannot look it up just now."],
		billing: [new Error("The model is overloaded.")],
	},
	watch: "desk",
};
