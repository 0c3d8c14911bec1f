import { Stemma } from "@stemma/client";
import OpenAI from "openai";

const stemma = new Stemma({
	baseUrl: process.env.STEMMA_BASE_URL ?? "http://127.0.0.1:4000",
	clientId: process.env.STEMMA_CLIENT_ID,
	clientSecret: process.env.STEMMA_CLIENT_SECRET,
});

// OpenAI's client, unchanged. Its API key is a function: access tokens last 15 minutes.
const openai = new OpenAI({ baseURL: `${stemma.client.baseUrl}/v1`, apiKey: stemma.accessToken });

// Agents and knowledge bases are models.
for await (const { id, owned_by } of openai.models.list()) if (owned_by === "stemma") console.log(id);

// An answer of an agent, as it comes; `stemma` has what is Stemma's own. All citations and the bill come with the last chunk.
const stream = await openai.chat.completions.create({
	model: "agent:shop-desk",
	messages: [{ role: "user", content: "How long does a refund take?" }],
	stream: true,
	stemma: { context: { customer: "Ada" } },
});
console.log();
for await (const { choices, stemma: details } of stream) {
	process.stdout.write(choices[0]?.delta.content ?? "");
	for (const { n, title } of details?.citations ?? []) console.log(`\n[${n}] ${title}`);
}

// An answer of a knowledge base, stored; the next one goes on from it.
const first = await openai.responses.create({ model: "kb:shop", input: "How long does a refund take?" });
const next = await openai.responses.create({
	model: "kb:shop",
	input: "Who pays the postage of damaged goods?",
	previous_response_id: first.id,
});
console.log(`\n${next.output_text}`);
