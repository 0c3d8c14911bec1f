import { defineTool } from "@stemma/local";

const find = defineTool({
	description: "Finds an order",
	parameters: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
	run: ({ order }) => ({ order, status: "on its way" }),
});

export const demo = {
	graph: {
		nodes: [
			{
				id: "reader",
				kind: "coordinator",
				// What it gives are the arguments of the tool.
				output: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
			},
			{ id: "find", kind: "tool", tool: "find_order" },
			{ id: "writer", kind: "agent" },
		],
		edges: [
			{ from: "reader", to: "find", mode: "then" },
			{ from: "find", to: "writer", mode: "then" },
		],
	},
	tools: { find_order: find },
	input: "Where is A1?",
	replies: { reader: ["A1", '{"order": "A1"}'], writer: ["It is on its way."] },
};
