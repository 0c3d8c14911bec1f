export const demo = {
	graph: { nodes: [{ id: "desk", kind: "coordinator" }] },
	input: "Tell me a secret.",
	replies: { desk: [{ text: "The secret is", finishReason: "filtered" }] },
};
