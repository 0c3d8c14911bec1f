export const scene = {
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
	says: { desk: ["We are!", '{"open": true}'] },
	watch: "desk",
};
