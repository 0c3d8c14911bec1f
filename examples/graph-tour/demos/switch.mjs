export const demo = {
	graph: {
		nodes: [
			{
				id: "triage",
				kind: "coordinator",
				output: { type: "object", properties: { mood: { enum: ["good", "bad"] } }, required: ["mood"] },
			},
			{ id: "calm", kind: "agent", instructions: "Say sorry first." },
			{ id: "answer", kind: "agent" },
		],
		edges: [
			{ from: "triage", to: "calm", mode: "then", when: { path: "/mood", equals: "bad" } },
			{ from: "triage", to: "answer", mode: "then" }, // the else
		],
	},
	input: "Where is my parcel?!",
	replies: { triage: ['{"mood": "bad"}'], calm: ["Sorry! It comes tomorrow."] },
};
