export const scene = {
	graph: { nodes: [{ id: "desk", kind: "coordinator", instructions: "Answer {{context.customer}}." }] },
	input: "Hello?",
};
