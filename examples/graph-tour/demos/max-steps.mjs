// Two agents that may call each other: fine, since the run's limits end it.
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
		limits: { maxSteps: 6 },
	},
	input: "Go!",
	replies: {
		ping: [[["pong", "your turn"]], [["pong", "your turn"]], [["pong", "your turn"]]],
		pong: [[["ping", "your turn"]], [["ping", "your turn"]]],
	},
};
