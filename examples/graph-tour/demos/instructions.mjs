export const demo = {
	graph: {
		nodes: [{ id: "desk", kind: "coordinator", instructions: "Answer {{context.customer.name}}, in short." }],
	},
	input: "Is {{context.customer.name}} filled in here?",
	context: { customer: { name: "Ada" } },
	replies: { desk: ["No, Ada."] },
	watch: "desk",
};
