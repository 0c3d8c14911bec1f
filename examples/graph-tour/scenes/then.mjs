export const scene = {
	graph: {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "editor", kind: "agent", instructions: "Make it shorter." },
		],
		edges: [{ from: "desk", to: "editor", mode: "then" }],
	},
	input: "When are you open?",
	says: { desk: ["We are open from nine until five."], editor: ["Nine to five."] },
};
