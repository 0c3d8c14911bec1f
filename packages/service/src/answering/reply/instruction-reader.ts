import { ANSWER_PROMPT } from "../prompts/answer";
import { removeNoAnswerMarks } from "./no-answer-reader";

/** Reads the instructions of an answer out of it as it comes, where a model repeats them. */
export interface InstructionReader {
	/** Gives what can be shown of the next piece: without instructions, and without what may become one. */
	push(text: string): string;
	/** Gives what was held back, at the end. */
	flush(): string;
	/** The text so far was not the answer. */
	reset(): void;
}

/** Shorter parts may be in an answer by themselves. */
const MIN_CHARACTERS = 30;

/** Sentences of the instructions as they are in an answer, whose marks are read before: longest first. */
const SENTENCES: readonly string[] = removeNoAnswerMarks(ANSWER_PROMPT.text)
	.split(/(?<=\.)\s+|\s*\[\d+\]/)
	.map((sentence) => sentence.replace(/^[.,\s]+/, "").trim())
	.filter(({ length }) => length >= MIN_CHARACTERS)
	.sort((one, other) => other.length - one.length);

/** A text without the sentences of the instructions. */
export const removeInstructions = (text: string): string =>
	SENTENCES.reduce((rest, sentence) => rest.replaceAll(sentence, ""), text);

/** Checks whether a text repeats the instructions. */
export const hasInstructions = (text: string): boolean =>
	SENTENCES.some((sentence) => text.includes(sentence));

export function createInstructionReader(): InstructionReader {
	let held = "";
	return {
		push(text) {
			const all = removeInstructions(held + text);
			const start = findOpenSentence(all);
			held = all.slice(start);
			return all.slice(0, start);
		},
		flush() {
			const rest = held;
			held = "";
			return rest;
		},
		reset() {
			held = "";
		},
	};
}

/** Start of the longest end of a text that a sentence of the instructions begins with. */
function findOpenSentence(text: string): number {
	const [longest = ""] = SENTENCES;
	for (let start = Math.max(0, text.length - longest.length + 1); start < text.length; start++) {
		const end = text.slice(start);
		if (SENTENCES.some((sentence) => sentence.startsWith(end))) return start;
	}
	return text.length;
}
