export const demo = {
	graph: { nodes: [{ id: "desk", kind: "coordinator", instructions: "Answer {{context.customer}}." }] },
	input: "Hello?",
};
