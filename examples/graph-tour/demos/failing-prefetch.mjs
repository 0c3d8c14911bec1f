export const demo = {
	graph: {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "billing", kind: "agent" },
		],
		edges: [{ from: "desk", to: "billing", mode: "before" }],
	},
	input: "Why was I charged twice?",
	replies: { billing: [new Error("The model is overloaded.")] },
};
