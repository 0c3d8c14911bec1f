export const scene = {
	graph: { nodes: [{ id: "desk", kind: "coordinator" }] },
	input: "Hello?",
	says: { desk: ["Hello. What can I do for you?"] },
};
