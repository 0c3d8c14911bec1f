import { defineAgent } from "@stemma/core";
import { createLocalAgent } from "@stemma/local";

const graph = defineAgent({
	nodes: [
		{ id: "desk", kind: "coordinator", instructions: "Answer {{context.customer}} from the passages." },
		{ id: "faq", kind: "knowledge", knowledgeBases: ["faq"], topK: 1 },
	],
	edges: [{ from: "desk", to: "faq", mode: "before" }],
});

// Where passages come from: anything that can search.
const pages = ["Refunds take five working days.", "The office is open from nine to five."];
const retriever = {
	async retrieve({ query, topK }) {
		const words = query.toLowerCase().match(/\w{4,}/g) ?? [];
		const found = pages.filter((page) => words.some((word) => page.toLowerCase().includes(word)));
		return { passages: found.slice(0, topK).map(toPassage) };
	},
};
const toPassage = (text) => ({
	passage_id: `psg_${pages.indexOf(text)}`,
	document_id: "doc_faq",
	title: "FAQ",
	place: { start: 0, end: text.length },
	text,
});

// Who answers: anything that streams text and then gives the whole reply. This one quotes the first passage.
const model = {
	provider: "quoting",
	model: "first-passage",
	vendorHost: "",
	generate: () => Promise.reject(new Error("Only streams are used here.")),
	async *stream({ messages }) {
		const [passage] = JSON.parse(messages[0].content.match(/^\{"query".*$/m)[0]).passages;
		const text = `${passage.text.replace(/\.$/, "")} [${passage.n}].`;
		yield { type: "text.delta", text };
		yield { type: "finish", reply: { text, toolCalls: [], finishReason: "stop" } };
	},
};
const models = { resolve: () => ({ model, payer: "none", reason: "It runs right here." }) };

const agent = createLocalAgent(graph, { ports: { models, retriever } });
const result = await agent.run({ input: "How long do refunds take?", context: { customer: "Ada" } });

console.log(result.output);
for (const { n, title, support } of result.citations) console.log(`[${n}] ${title} (${support})`);
console.log(`${result.receipt.length} model call, paid by: ${result.receipt[0].payer}`);
if (result.output !== "Refunds take five working days [1].") process.exit(1);
