import type { Answer, FeedbackPassage, FoundPassage } from "@stemma/client";
import type { Citation, ConversationMessage, Json, RunResult } from "@stemma/core";
import { isJsonObject, looksLikeConversation, readRunInput } from "@stemma/core/internal";
import type { RatedContent } from "./feedback-repository";

/** Maximum characters of a question, and of all messages before it together. */
const MAX_RATED_CHARACTERS = 100_000;
export const MAX_RATED_PASSAGES = 200;

/** Message whose content is text. */
type TextMessage = ConversationMessage & { readonly content: string };

/** A question and the conversation before it. */
type Question = Pick<RatedContent, "question" | "history">;

/** Content of an answer of `ask`. */
export const toAnswerContent = (
	{ question, history = [] }: { readonly question: string; readonly history?: readonly TextMessage[] },
	{ answer, citations, passages }: Pick<Answer, "answer" | "citations" | "passages">,
): RatedContent => ({
	...limitQuestion(question, history),
	answer,
	citations,
	passages: passages.slice(0, MAX_RATED_PASSAGES).map(toFeedbackPassage),
});

/**
 * Content of a run.
 *
 * @param input - `undefined` for runs of earlier versions, whose input was not stored.
 * @param found - passages that its knowledge nodes have found.
 */
export const toRunContent = (
	input: Json | undefined,
	{ output, citations }: Pick<RunResult, "output" | "citations">,
	found: readonly FeedbackPassage[],
): RatedContent => ({
	...(input === undefined ? { question: "", history: [] } : toQuestion(input)),
	answer: output,
	citations,
	passages: found.map((passage) => identify(passage, citations)),
});

const toFeedbackPassage = ({
	title,
	text,
	place,
	passage_id,
	document_id,
}: FoundPassage): FeedbackPassage => ({ title, text, place, passage_id, document_id });

/** A passage that is cited has the ids of its citation. */
function identify(passage: FeedbackPassage, citations: readonly Citation[]): FeedbackPassage {
	const cited = citations.find(({ title, text }) => title === passage.title && text === passage.text);
	if (cited === undefined) return passage;
	const { passage_id, document_id } = cited;
	return { ...passage, passage_id, document_id };
}

function toQuestion(input: Json): Question {
	const messages = readMessages(input);
	const last = messages.findLastIndex(({ role }) => role === "user");
	const question = messages[last]?.content ?? (typeof input === "string" ? input : JSON.stringify(input));
	return limitQuestion(question, messages.slice(0, Math.max(last, 0)));
}

/** Messages of an input that is a conversation; none of any other. */
function readMessages(input: Json): readonly TextMessage[] {
	const read = readRunInput(input);
	if (!("input" in read) || !looksLikeConversation(read.input)) return [];
	return read.input.messages.flatMap((message) => {
		if (!isJsonObject(message)) return [];
		const { role, content } = message;
		if ((role !== "user" && role !== "assistant") || typeof content !== "string") return [];
		return [{ role, content }];
	});
}

/** The question, and the newest messages before it that fit. */
function limitQuestion(question: string, messages: readonly TextMessage[]): Question {
	const history: TextMessage[] = [];
	let characters = 0;
	for (const { role, content } of messages.toReversed()) {
		characters += content.length;
		if (characters > MAX_RATED_CHARACTERS) break;
		history.unshift({ role, content });
	}
	return { question: question.slice(0, MAX_RATED_CHARACTERS), history };
}
