// Models that answer at once out of memory. All subjects ask them in the same way, so they cost each of them the same.

/**
 * @param script - gives the reply to a request.
 * @returns a chat model that streams a reply's text as one delta, as a vendor with a short answer does.
 */
export function createScriptedModel(script) {
	return {
		provider: "scripted",
		model: "scripted",
		vendorHost: "",
		generate: async (request) => script(request),
		async *stream(request) {
			const reply = script(request);
			if (reply.text !== "") yield { type: "text.delta", text: reply.text };
			yield { type: "finish", reply };
		},
	};
}

/** Asks a model as an engine would: reads its stream to the end. */
export async function ask(model, request) {
	for await (const event of model.stream(request)) if (event.type === "finish") return event.reply;
	throw new Error("The model's stream ended without a reply.");
}

const usage = { inputTokens: 10, outputTokens: 5 };

export const textReply = (text) => ({ text, toolCalls: [], finishReason: "stop", usage });

/** Calls all of these at once. */
export const toolReply = (names, number = 0) => ({
	text: "",
	toolCalls: names.map((name, index) => ({
		id: `call_${number}_${index}`,
		name,
		arguments: `{"input":"question ${number}"}`,
	})),
	finishReason: "tool_calls",
	usage,
});

/** Gives the same words every time. */
export const createReplyModel = () => createScriptedModel(() => textReply("An answer of a few words."));

/** Calls the callee so many times, once in each turn, then answers. */
export function createCaller(callee, calls) {
	return createScriptedModel(({ messages }) => {
		// Each call has added the assistant's message and its result to the question.
		const made = (messages.length - 1) / 2;
		return made < calls ? toolReply([callee], made) : textReply("The last answer.");
	});
}

export const passage = {
	passage_id: "passage_1",
	document_id: "document_1",
	title: "Handbook",
	place: { kind: "text", from: 0, to: 24 },
	text: "A passage of a few words.",
};

export const retriever = { retrieve: async () => ({ passages: [passage] }) };

/** What tools in code are to a run. */
export const tools = {
	describe: async () => ({
		parameters: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
	}),
	call: async () => ({ passages: [passage] }),
};
