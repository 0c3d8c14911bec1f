import type { Behaviour } from "@stemma/simulators/openai";
import { scoreByWords } from "@stemma/simulators/reranker";

/** What a chat model is asked to judge, as it stands in a request. */
export interface PassagesToScore {
	readonly query: string;
	readonly passages: readonly { readonly id: number; readonly text: string }[];
}

interface Message {
	readonly role: string;
	readonly content: string;
}

export function readPassages(body: { readonly messages?: unknown }): PassagesToScore {
	const messages = body.messages as readonly Message[];
	const content = messages.find(({ role }) => role === "user")?.content ?? "";
	const lines = content.split("\n");
	const begin = lines.findIndex((line) => line.startsWith("-----BEGIN DATA "));
	const end = lines.findIndex((line) => line.startsWith("-----END DATA "));
	const question = lines.find((line) => line.startsWith("The question: ")) ?? "";
	return {
		query: JSON.parse(question.slice("The question: ".length)),
		passages: lines.slice(begin + 1, end).map((line) => JSON.parse(line)),
	};
}

/** A chat model that scores passages by the words that they share with the question. */
export function scoreByOverlap(body: { readonly messages?: unknown }): Behaviour {
	const { query, passages } = readPassages(body);
	const scores = passages.map(({ id, text }) => ({ id, score: Math.round(4 * scoreByWords(query, text)) }));
	return { kind: "reply", text: JSON.stringify({ scores }) };
}
