import type { QueryWord } from "../../../../knowledge/search/query-words";
import type { WordAnswer, WordQuestion } from "../../../../knowledge/search/word-questions";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { createPositionFinder } from "./match-postings";
import { findPostings, type Posting } from "./postings";
import { isWholeToken, type QueryTokens, toQueryTokens } from "./query-tokens";
import { countTokens, filterBeginnings } from "./vocabulary";

/** Answers a question about the words of the passages of these knowledge bases. */
export async function answerWordQuestion(
	transaction: WorkspaceTransaction,
	knowledgeBases: readonly number[],
	question: WordQuestion,
): Promise<WordAnswer> {
	if (question.kind === "known") return listKnown(transaction, knowledgeBases, question.words);
	if (question.kind === "counts")
		return countPassages(transaction, knowledgeBases, question.words, question.max);
	return (await isWithin(transaction, knowledgeBases, question.word, question.other)) ? [1] : [0];
}

/** Lists the positions of the words that a passage has. */
async function listKnown(
	transaction: WorkspaceTransaction,
	knowledgeBases: readonly number[],
	words: readonly QueryWord[],
): Promise<readonly number[]> {
	const queried = toQueryTokens(words);
	const single = queried.filter(({ tokens }) => tokens.length === 1);
	const toToken = ({ tokens }: QueryTokens): string => tokens[0] ?? "";
	const known = await countTokens(transaction, knowledgeBases, single.filter(isWholeToken).map(toToken));
	const beginnings = await filterBeginnings(
		transaction,
		knowledgeBases,
		single.filter((word) => !isWholeToken(word)).map(toToken),
	);
	const positions: number[] = [];
	for (const [position, word] of queried.entries())
		if (
			word.tokens.length > 1
				? await hasPhrase(transaction, knowledgeBases, word)
				: (isWholeToken(word) ? known : beginnings).has(toToken(word))
		)
			positions.push(position);
	return positions;
}

async function hasPhrase(
	transaction: WorkspaceTransaction,
	knowledgeBases: readonly number[],
	phrase: QueryTokens,
): Promise<boolean> {
	const postings = await findPostings(transaction, knowledgeBases, [phrase]);
	const find = createPositionFinder(phrase);
	return postings.some((posting) => find(posting).length > 0);
}

/** Counts the passages with each of these words, at most `max` of each knowledge base. */
export async function countPassages(
	transaction: WorkspaceTransaction,
	knowledgeBases: readonly number[],
	words: readonly QueryWord[],
	max: number,
): Promise<readonly number[]> {
	const queried = toQueryTokens(words);
	const counts = await countTokens(
		transaction,
		knowledgeBases,
		queried.filter(isWholeToken).flatMap(({ tokens }) => tokens),
	);
	const others = queried.filter((word) => !isWholeToken(word));
	const postings = await findPostings(transaction, knowledgeBases, others);
	return queried.map((word) =>
		(isWholeToken(word)
			? (counts.get(word.tokens[0] ?? "") ?? [])
			: [...countByKnowledgeBase(postings, word).values()]
		).reduce((sum, count) => sum + Math.min(max, count), 0),
	);
}

/** Counts the passages of each knowledge base with a word. */
export function countByKnowledgeBase(
	postings: readonly Posting[],
	word: QueryTokens,
): ReadonlyMap<number, number> {
	const find = createPositionFinder(word);
	const counts = new Map<number, number>();
	for (const posting of postings)
		if (find(posting).length > 0)
			counts.set(posting.knowledgeBase, (counts.get(posting.knowledgeBase) ?? 0) + 1);
	return counts;
}

async function isWithin(
	transaction: WorkspaceTransaction,
	knowledgeBases: readonly number[],
	...words: readonly [QueryWord, QueryWord]
): Promise<boolean> {
	const queried = toQueryTokens(words);
	const [findWord, findOther] = queried.map(createPositionFinder);
	const postings = await findPostings(transaction, knowledgeBases, queried);
	return postings.every((posting) => !findWord?.(posting).length || findOther?.(posting).length !== 0);
}
