export const demo = {
	graph: {
		nodes: [
			{
				id: "desk",
				kind: "coordinator",
				output: { type: "object", properties: { open: { type: "boolean" } }, required: ["open"] },
			},
		],
	},
	input: "Are you open?",
	replies: { desk: ["We are!", '{"open": true}'] },
	watch: "desk",
};
