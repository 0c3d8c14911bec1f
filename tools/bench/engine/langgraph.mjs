import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { ask, createReplyModel } from "./scripted-model.mjs";

/** Without events. */
export function prepareInvoke(length) {
	const { graph, input, options } = createChain(length);
	return {
		steps: length,
		async run() {
			const { text } = await graph.invoke(input, options);
			if (text === input.text) throw new Error("The graph did not run.");
		},
	};
}

/** With events: the update that every node makes. */
export function prepareStream(length, replyModel = createReplyModel()) {
	const { graph, input, options } = createChain(length, replyModel);
	return {
		steps: length,
		async run() {
			let events = 0;
			for await (const _ of await graph.stream(input, { ...options, streamMode: "updates" })) events += 1;
			if (events !== length) throw new Error(`${events} events of ${length} nodes.`);
		},
	};
}

function createChain(length, replyModel = createReplyModel()) {
	const builder = new StateGraph(Annotation.Root({ text: Annotation() }));
	const ids = Array.from({ length }, (_, index) => `node_${index}`);
	for (const id of ids)
		builder.addNode(id, async ({ text }) => {
			const reply = await ask(replyModel, { messages: [{ role: "user", content: text }] });
			return { text: reply.text };
		});
	for (const [index, id] of [...ids, END].entries())
		builder.addEdge(index === 0 ? START : ids[index - 1], id);
	// A run may take a little longer than its nodes: the start counts too.
	const options = { recursionLimit: length + 10 };
	return { graph: builder.compile(), input: { text: "A question." }, options };
}
