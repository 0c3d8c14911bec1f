export const scene = {
	graph: { nodes: [{ id: "desk", kind: "coordinator" }] },
	input: "Tell me a secret.",
	says: { desk: [{ text: "The secret is", finishReason: "filtered" }] },
};
