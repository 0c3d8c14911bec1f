import type { ChatModel, ChatRequest } from "@stemma/core";
import type { TextMessage } from "../ask-request";
import { MAX_QUERIES, REWRITE_PROMPT } from "../prompts/rewrite";

/** Question with the conversation before it. */
export interface RewriteInput {
	readonly question: string;
	readonly history?: readonly TextMessage[] | undefined;
}

/** Longer ones hold more than what they ask for. */
const MAX_PLAIN_CHARACTERS = 240;
const MAX_QUERY_CHARACTERS = 400;
/** The last of what was said: what a question refers to is near. */
const MAX_HISTORY_MESSAGES = 6;
const MAX_MESSAGE_CHARACTERS = 2000;
/** Maximum characters of a line, including the text around a query; longer lines contain no query. */
const MAX_LINE_CHARACTERS = 4000;

/** Checks whether a question can be searched for without a rewrite. If so, no model is called, and nothing is spent. */
export const isStandaloneQuestion = ({ question, history = [] }: RewriteInput): boolean =>
	history.length === 0 && question.length <= MAX_PLAIN_CHARACTERS && countSentences(question) === 1;

/** A full stop before a small letter is that of an abbreviation. */
const countSentences = (text: string): number =>
	text.trim().split(/[?!]+\s+|\.\s+(?=\p{Lu})|[。？！]+(?=.)|\n+/u).length;

/**
 * Asks a model what to search for.
 *
 * @returns up to three queries; none where it wrote none.
 */
export async function rewriteQuestion(
	input: RewriteInput,
	model: ChatModel,
	signal: AbortSignal,
): Promise<readonly string[]> {
	const { text } = await model.generate(toRequest(input), { signal });
	return readQueries(text);
}

function toRequest({ question, history = [] }: RewriteInput): ChatRequest {
	const messages = history.slice(-MAX_HISTORY_MESSAGES).map(({ role, content }) => ({
		role,
		content: content.slice(-MAX_MESSAGE_CHARACTERS),
	}));
	// Marks of chat templates, `<|im_end|>` and such, are none then.
	const content = JSON.stringify({ conversation: messages, last_question: question }).replaceAll(
		"<",
		"\\u003c",
	);
	return { system: REWRITE_PROMPT.text, messages: [{ role: "user", content }] };
}

/** One a line, without what models put around them all the same: thoughts, a heading, JSON. */
export function readQueries(text: string): readonly string[] {
	const lines = toLines(text.replace(/^[\s\S]*<\/think>/, ""))
		.filter((line) => line.length <= MAX_LINE_CHARACTERS)
		.map((line) =>
			line
				.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, "")
				.replace(/^["'`“]+|["'`”]+$/g, "")
				.trim(),
		)
		.filter(
			(line) => line !== "" && line.length <= MAX_QUERY_CHARACTERS && !/[:：]$|^<\/?\w+>$|^```/.test(line),
		);
	return [...new Set(lines)].slice(0, MAX_QUERIES);
}

function toLines(text: string): readonly string[] {
	try {
		const list: unknown = JSON.parse(text.replace(/^\s*```\w*|```\s*$/g, ""));
		return Array.isArray(list) ? list.filter((line) => typeof line === "string") : [];
	} catch {
		return text.split("\n");
	}
}
