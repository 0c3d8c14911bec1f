export const scene = {
	graph: { nodes: [{ id: "desk", kind: "coordinator" }] },
	input: "Tell me everything.",
	says: { desk: [{ text: "In the beginning there was", finishReason: "length" }] },
};
