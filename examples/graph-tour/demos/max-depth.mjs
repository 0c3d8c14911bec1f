export const demo = {
	graph: {
		nodes: [
			{ id: "ping", kind: "coordinator" },
			{ id: "pong", kind: "agent" },
		],
		edges: [
			{ from: "ping", to: "pong" },
			{ from: "pong", to: "ping" },
		],
		limits: { maxDepth: 1 },
	},
	input: "Go!",
	replies: {
		ping: [[["pong", "your turn"]], "It stops there."],
		pong: [[["ping", "your turn"]], "I may not."],
	},
};
