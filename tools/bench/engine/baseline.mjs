import { MIXED_STEPS, runMixedBare } from "./mixed.mjs";
import { ask, createCaller, createReplyModel, retriever } from "./scripted-model.mjs";

/** What the work costs with no engine at all: one async function after the other. */
export function prepareChain(length, replyModel = createReplyModel()) {
	const nodes = Array.from({ length }, () => async (text) => {
		const reply = await ask(replyModel, { messages: [{ role: "user", content: text }] });
		return reply.text;
	});
	return {
		steps: 2 * length,
		async run() {
			let text = "A question.";
			for (const node of nodes) text = await node(text);
			return text;
		},
	};
}

export function prepareAgentLoop(calls) {
	const replyModel = createReplyModel();
	const callee = async (content) => (await ask(replyModel, { messages: [{ role: "user", content }] })).text;
	return { steps: 3 * calls + 2, run: () => runLoop(createCaller("callee", calls), callee) };
}

export function prepareKnowledgeLoop(calls) {
	const callee = async (query) => JSON.stringify(await retriever.retrieve({ query }));
	return { steps: 2 * calls + 2, run: () => runLoop(createCaller("callee", calls), callee) };
}

/** Handing over is calling the next function with the note. */
export const prepareHandoffs = prepareChain;

export const prepareMixed = () => ({ steps: MIXED_STEPS, run: runMixedBare });

async function runLoop(caller, callee) {
	const messages = [{ role: "user", content: "A question." }];
	for (;;) {
		const { text, toolCalls } = await ask(caller, { messages });
		if (toolCalls.length === 0) return text;
		messages.push({ role: "assistant", content: text, toolCalls });
		for (const { id, name, arguments: json } of toolCalls) {
			const content = await callee(JSON.parse(json).input);
			messages.push({ role: "tool", callId: id, name, content });
		}
	}
}
