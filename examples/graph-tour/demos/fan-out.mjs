export const demo = {
	graph: {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "english", kind: "agent" },
			{ id: "dutch", kind: "agent" },
		],
		edges: [
			{ from: "desk", to: "english", mode: "then" },
			{ from: "desk", to: "dutch", mode: "then" },
		],
	},
	input: "When are you open?",
	replies: { desk: ["9-17"], english: ["Nine to five."], dutch: ["Van negen tot vijf."] },
};
