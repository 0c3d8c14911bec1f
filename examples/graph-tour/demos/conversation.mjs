export const demo = {
	graph: {
		nodes: [
			{ id: "desk", kind: "coordinator", instructions: "Answer from the passages." },
			{ id: "handbook", kind: "knowledge", knowledgeBases: ["kb_handbook"] },
		],
		edges: [{ from: "desk", to: "handbook", mode: "before" }],
	},
	input: {
		messages: [
			{ role: "user", content: "Do you ship to Malta?" },
			{ role: "assistant", content: "Yes." },
			{ role: "user", content: "And what does it cost?" },
		],
	},
	passages: ["Shipping to Malta costs 9 EUR."],
	replies: { desk: ["9 EUR [1]."] },
	watch: "desk",
};
