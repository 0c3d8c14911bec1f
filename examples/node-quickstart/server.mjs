import { readFile } from "node:fs/promises";
import { Stemma } from "@stemma/client";

const stemma = new Stemma({
	baseUrl: process.env.STEMMA_BASE_URL ?? "http://127.0.0.1:4000",
	clientId: process.env.STEMMA_CLIENT_ID,
	clientSecret: process.env.STEMMA_CLIENT_SECRET,
});

// A knowledge base: made where there is none yet. Everything below names it by its slug.
await stemma.knowledge.create({ name: "Shop", slug: "shop" }).catch((error) => {
	if (error.code !== "slug_taken") throw error;
});

// A document. Sent again, the same source replaces it.
const upload = await stemma.knowledge.documents.upload("shop", {
	file: await readFile(new URL("refunds.md", import.meta.url)),
	name: "refunds.md",
	source: "refunds.md",
});
await stemma.knowledge.documents.waitUntilReady("shop", upload);

// An answer, where it is from, and who paid for it.
const { answer, citations, receipt } = await stemma.ask({
	question: "Who pays the postage of damaged goods?",
	knowledge_base_ids: ["shop"],
});
console.log(answer);
for (const { n, title, place } of citations) console.log(`[${n}] ${title} › ${place.heading}`);
for (const { model, input_tokens, output_tokens, payer } of receipt)
	console.log(`${model}: ${input_tokens} tokens in, ${output_tokens} out, paid by: ${payer}\n`);

// An agent that the service keeps: made, or replaced where there is one.
const graph = {
	nodes: [
		{ id: "desk", kind: "coordinator", instructions: "Answer {{context.customer}} and cite the passages." },
		{ id: "pages", kind: "knowledge", knowledgeBases: ["shop"], topK: 2 },
	],
	edges: [{ from: "desk", to: "pages", mode: "before" }],
};
await stemma.agents.create({ slug: "shop-desk", graph }).catch((error) => {
	if (error.code !== "slug_taken") throw error;
	return stemma.agents.replace("shop-desk", { graph });
});

// A run of it, as it happens.
const run = stemma.agents.stream("shop-desk", {
	input: "How long does a refund take?",
	context: { customer: "Ada" },
});
for await (const event of run)
	if (event.type === "text.delta" && event.final) process.stdout.write(event.text);
const result = await run.result();
console.log(`\n${result.status}, ${result.receipt.length} model call`);
