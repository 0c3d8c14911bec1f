export const demo = {
	graph: {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "handbook", kind: "knowledge", knowledgeBases: ["kb_handbook"] },
			{
				id: "legal",
				kind: "agent",
				description: "Answers about contracts",
				instructions: "You know the law.",
			},
			{ id: "editor", kind: "agent" },
		],
		edges: [
			{ from: "desk", to: "handbook" },
			{ from: "desk", to: "legal", mode: "handoff" },
			{ from: "desk", to: "editor", mode: "then" },
		],
	},
	input: "May I cancel my contract?",
	passages: ["Contracts are the business of the legal team."],
	replies: {
		desk: [
			[["handbook", "cancel a contract"]],
			[
				["legal", "The handbook says that this is yours."],
				["handbook", "anything else?"],
			],
		],
		legal: ["You may, within 14 days."],
		editor: ["Yes, within 14 days."],
	},
	watch: "legal",
};
