import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { ask, createTalker } from "../engine/scripted-model.mjs";

const talker = createTalker();

/** One node, which asks the scripted model once. */
export const desk = new StateGraph(Annotation.Root({ text: Annotation() }))
	.addNode("desk", async ({ text }) => {
		const reply = await ask(talker, { messages: [{ role: "user", content: text }] });
		return { text: reply.text };
	})
	.addEdge(START, "desk")
	.addEdge("desk", END)
	.compile();
