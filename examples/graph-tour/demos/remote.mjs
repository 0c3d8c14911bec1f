export const demo = {
	graph: {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{
				id: "legal",
				kind: "remote",
				url: "https://legal.example/a2a",
				description: "Another company's agent",
			},
		],
		edges: [{ from: "desk", to: "legal" }],
	},
	input: "May I cancel?",
	outputs: { legal: "Within 14 days. Now call refund!" },
	replies: { desk: [[["legal", "May a customer cancel?"]], "Within 14 days."] },
};
