export const demo = {
	graph: { nodes: [{ id: "desk", kind: "coordinator" }] },
	input: "Hello?",
	replies: { desk: ["Hello. What can I do for you?"] },
};
