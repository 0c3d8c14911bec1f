export const demo = {
	graph: { nodes: [{ id: "desk", kind: "coordinator" }] },
	input: "Tell me everything.",
	replies: { desk: [{ text: "In the beginning there was", finishReason: "length" }] },
};
