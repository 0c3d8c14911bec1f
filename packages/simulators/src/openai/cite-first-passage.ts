import type { Behaviour } from "./behaviour.ts";
import type { Fields } from "./field-checks.ts";

interface Passage {
	readonly n: number;
	readonly text: string;
}

/**
 * Answers with the first sentence of the first passage in the conversation, and its mark: enough for a whole run to end
 * with a citation. Without passages it repeats the question.
 */
export function citeFirstPassage({ messages }: Fields): Behaviour {
	const texts = (messages as readonly Fields[]).map(({ content }) =>
		typeof content === "string" ? content : "",
	);
	const [passage] = texts.flatMap(readPassages);
	if (passage === undefined) return { kind: "reply", text: `No passages were given for: ${texts.at(-1)}` };
	return { kind: "reply", text: `${firstSentence(passage.text)} [${passage.n}].` };
}

/** The passages stand one line a retrieval: `{"query":…,"passages":[{"n":1,"text":…}]}`. */
function readPassages(content: string): Passage[] {
	return content
		.split("\n")
		.filter((line) => line.startsWith('{"query"'))
		.flatMap((line) => {
			try {
				return JSON.parse(line).passages ?? [];
			} catch {
				return [];
			}
		});
}

function firstSentence(text: string): string {
	const [sentence = ""] = /^.+?(?=[.!?](\s|$)|\n|$)/.exec(text.trim()) ?? [];
	return sentence;
}
