// What every platform must be able to do with the packed packages. Plain JavaScript, so that it runs anywhere.

const passages = [
	{
		passage_id: "psg_1",
		document_id: "doc_1",
		title: "Refunds",
		place: { heading: "Refunds", start: 0, end: 27 },
		text: "Refunds take five working days.",
	},
];

const say = (text) => ({ text, toolCalls: [], finishReason: "stop" });

const replies = {
	desk: [
		{
			...say(""),
			finishReason: "tool_calls",
			toolCalls: [{ id: "c1", name: "billing", arguments: '{"input":"refunds"}' }],
		},
		say("Refunds take five working days [1]."),
	],
	billing: [say("Five days [1].")],
	editor: [say("In short: refunds take five working days [1].")],
};

function scriptedModel() {
	const turns = {};
	return {
		provider: "scripted",
		model: "script-1",
		vendorHost: "",
		generate: () => Promise.reject(new Error("not used")),
		async *stream({ origin }) {
			turns[origin.node] = (turns[origin.node] ?? -1) + 1;
			const reply = replies[origin.node][turns[origin.node]];
			for (const word of reply.text.split(/(?<= )/)) yield { type: "text.delta", text: word };
			yield { type: "finish", reply };
		},
	};
}

/** Runs a graph with an edge of each mode and gives back what a test can compare. */
export async function scenario({ core, errors, sse, local }) {
	const graph = core.defineAgent({
		nodes: [
			{ id: "desk", kind: "coordinator", instructions: "Answer {{context.customer}}." },
			{ id: "faq", kind: "knowledge", knowledgeBases: ["faq"] },
			{ id: "billing", kind: "agent" },
			{ id: "editor", kind: "agent", output: undefined },
		],
		edges: [
			{ from: "desk", to: "faq", mode: "before" },
			{ from: "desk", to: "billing" },
			{ from: "desk", to: "editor", mode: "then" },
		],
	});
	const model = scriptedModel();
	const agent = local.createLocalAgent(graph, {
		ports: {
			models: { resolve: () => ({ model, payer: "none", reason: "Scripted." }) },
			retriever: { retrieve: async () => ({ passages }) },
		},
	});
	const stream = agent.stream({ input: "How long do refunds take?", context: { customer: "Ada" } });
	let streamed = "";
	let events = 0;
	for await (const event of stream) {
		events += 1;
		if (event.type === "text.delta" && event.final) streamed += event.text;
	}
	const result = await stream.result();
	const invalid = core.validateAgent({ nodes: [{ id: "a", kind: "agent" }] });
	return {
		status: result.status,
		output: result.output,
		streamed,
		events,
		citations: result.citations.map(({ n, title, support }) => `${n} ${title} ${support}`),
		calls: result.receipt.length,
		runId: /^run_[0-9a-z]{26}$/.test(result.run_id),
		issues: invalid.success ? [] : invalid.error.issues.map(({ code }) => code),
		recognised:
			!invalid.success && errors.isStemmaError(invalid.error) && core.AgentGraphError.is(invalid.error),
		sse: sse.createSseReader().push("id: 7\ndata: hi\n\n"),
	};
}

/** What {@link scenario} must give everywhere. */
export const expected = {
	status: "completed",
	output: "In short: refunds take five working days [1].",
	streamed: "In short: refunds take five working days [1].",
	events: 28,
	citations: ["1 Refunds supported"],
	calls: 4,
	runId: true,
	issues: ["coordinator_count"],
	recognised: true,
	sse: [{ event: "message", data: "hi", lastEventId: "7" }],
};
