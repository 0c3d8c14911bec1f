export const demo = {
	graph: {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "editor", kind: "agent", instructions: "Make it shorter." },
		],
		edges: [{ from: "desk", to: "editor", mode: "then" }],
	},
	input: "When are you open?",
	replies: { desk: ["We are open from nine until five."], editor: ["Nine to five."] },
};
