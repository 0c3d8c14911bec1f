import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { ask, createReplyModel } from "../engine/scripted-model.mjs";

const replyModel = createReplyModel();

/** One node, which asks the scripted model once. */
export const desk = new StateGraph(Annotation.Root({ text: Annotation() }))
	.addNode("desk", async ({ text }) => {
		const reply = await ask(replyModel, { messages: [{ role: "user", content: text }] });
		return { text: reply.text };
	})
	.addEdge(START, "desk")
	.addEdge("desk", END)
	.compile();
