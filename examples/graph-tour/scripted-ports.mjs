/** Models, passages and agents that answer from a script: the `replies`, `passages` and `outputs` of a demo, by node id. */
export function scriptedPorts({ replies = {}, passages = [], outputs = {}, onRequest = () => {} }) {
	const turns = new Map();

	const model = {
		provider: "scripted",
		model: "tour",
		vendorHost: "",
		generate: () => Promise.reject(new Error("Only streams are used here.")),
		async *stream(request) {
			const { node } = request.origin;
			const turn = turns.get(node) ?? 0;
			turns.set(node, turn + 1);
			onRequest(node, request);
			const reply = toReply(replies[node]?.[turn] ?? `(${node} has nothing to say)`);
			if (reply.text !== "") yield { type: "text.delta", text: reply.text };
			yield { type: "finish", reply };
		},
	};

	return {
		models: { resolve: () => ({ model, payer: "none", reason: "A script answers." }) },
		retriever: { retrieve: async () => ({ passages: passages.map(toPassage) }) },
		agents: { run: async ({ node }) => ({ output: outputs[node] }) },
	};
}

/** A line of a script: text, a list of calls `[node, arguments]`, a whole reply, or an error. */
function toReply(line) {
	if (line instanceof Error) throw line;
	const reply = {
		text: "",
		toolCalls: [],
		finishReason: "stop",
		usage: { inputTokens: 100, outputTokens: 20 },
	};
	if (typeof line === "string") return { ...reply, text: line };
	if (!Array.isArray(line)) return { ...reply, ...line };
	const toolCalls = line.map(([name, args], index) => ({
		id: `call_${index + 1}`,
		name,
		arguments: JSON.stringify(typeof args === "string" ? { input: args } : args),
	}));
	return { ...reply, toolCalls, finishReason: "tool_calls" };
}

const toPassage = (text, index) => ({
	passage_id: `psg_${index + 1}`,
	document_id: "doc_1",
	title: "Handbook",
	place: { start: 0, end: text.length },
	text,
});
