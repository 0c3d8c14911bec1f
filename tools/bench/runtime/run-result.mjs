/** What a run's answer looks like, for servers that run nothing. */
export const createRunResult = (runId) => ({
	run_id: runId,
	status: "completed",
	output: "An answer of a few words.",
	citations: [],
	usage: { input_tokens: 10, output_tokens: 5, model_calls: 1, steps: 2 },
	receipt: [
		{
			stage: "answer",
			node: "desk",
			payer: "deployment",
			provider: "scripted",
			vendor_host: "",
			model: "scripted",
			input_tokens: 10,
			output_tokens: 5,
			ms: 0,
			attempts: 1,
			reason: "It is scripted.",
		},
	],
});
