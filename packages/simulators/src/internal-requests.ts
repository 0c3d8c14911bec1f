import { scoreByWords } from "./reranker/word-overlap.ts";

/** A request for a completion, by its texts. */
export interface InternalRequest {
	readonly system: string;
	/** Of the last message. */
	readonly user: string;
}

/**
 * What a model would answer to the small tasks on the side of a question: to judge passages (by the words that they share
 * with it), and to say what to search for (the question). Undefined for all else.
 */
export function answerInternalRequest({ system, user }: InternalRequest): string | undefined {
	if (system.startsWith("You judge how well passages answer"))
		return JSON.stringify({ scores: scorePassages(user) });
	if (system.startsWith("You turn the last question")) return JSON.parse(user).last_question;
	return undefined;
}

interface PassageToScore {
	readonly id: number;
	readonly text: string;
}

function scorePassages(message: string): readonly { readonly id: number; readonly score: number }[] {
	const lines = message.split("\n");
	const begin = lines.findIndex((line) => line.startsWith("-----BEGIN DATA "));
	const end = lines.findIndex((line) => line.startsWith("-----END DATA "));
	const question = lines.find((line) => line.startsWith("The question: ")) ?? "";
	const query = JSON.parse(question.slice("The question: ".length));
	const passages: readonly PassageToScore[] = lines.slice(begin + 1, end).map((line) => JSON.parse(line));
	return passages.map(({ id, text }) => ({ id, score: toScore(scoreByWords(query, text)) }));
}

/** Any word in common answers a part. */
const toScore = (share: number): number => (share < MIN_OVERLAP ? 0 : Math.max(2, Math.round(4 * share)));
const MIN_OVERLAP = 0.1;
