export const demo = {
	graph: {
		nodes: [
			{ id: "desk", kind: "coordinator", instructions: "Answer from the passages and cite them." },
			{ id: "handbook", kind: "knowledge", knowledgeBases: ["kb_handbook"], topK: 2 },
		],
		edges: [{ from: "desk", to: "handbook", mode: "before" }],
	},
	input: "How long does a refund take?",
	passages: ["Parcels are tracked.", "A refund takes five working days."],
	replies: { desk: ["Five working days [2], I am told [7]."] },
	watch: "desk",
};
