import type { QueryWord } from "../../../../knowledge/search/query-words";
import type { WordAnswer, WordQuestion } from "../../../../knowledge/search/word-questions";
import { type QueryTokens, toBeginningOf, toQueryTokens } from "./query-tokens";
import { filterBeginnings } from "./read-word-lists";
import type { WordReader } from "./word-reader";

/** Answers a question about the words of the passages of knowledge bases. */
export async function answerWordQuestion(reader: WordReader, question: WordQuestion): Promise<WordAnswer> {
	if (question.kind === "known") return listKnown(reader, question.words);
	if (question.kind === "counts") return countPassages(reader, question.words, question.max);
	return (await isWithin(reader, question.word, question.other)) ? [1] : [0];
}

/** Checks for a word that is a beginning alone, of which many are asked for at once. */
const isSinglePrefix = ({ word, tokens }: QueryTokens): boolean => word.isPrefix && tokens.length === 1;

/** Lists the positions of the words that a passage has. */
async function listKnown(reader: WordReader, words: readonly QueryWord[]): Promise<readonly number[]> {
	const queried = toQueryTokens(words);
	await reader.load(queried.filter((word) => !isSinglePrefix(word)));
	const known = await filterBeginnings(
		reader.transaction,
		reader.knowledgeBases,
		queried.filter(isSinglePrefix).flatMap((word) => toBeginningOf(word) ?? []),
	);
	return queried.flatMap((word, position) =>
		(isSinglePrefix(word) ? known.has(toBeginningOf(word) ?? "") : hasPassages(reader, word))
			? [position]
			: [],
	);
}

const hasPassages = (reader: WordReader, word: QueryTokens): boolean =>
	reader.findAll(word).some(({ numbers }) => numbers.length > 0);

/** Counts the passages with each of these words, at most `max` of each knowledge base. */
export async function countPassages(
	reader: WordReader,
	words: readonly QueryWord[],
	max: number,
): Promise<readonly number[]> {
	const queried = toQueryTokens(words);
	await reader.load(queried);
	return queried.map((word) =>
		reader.findAll(word).reduce((sum, { numbers }) => sum + Math.min(max, numbers.length), 0),
	);
}

async function isWithin(reader: WordReader, ...words: readonly [QueryWord, QueryWord]): Promise<boolean> {
	const queried = toQueryTokens(words);
	await reader.load(queried);
	const [numbers = [], others = []] = queried.map((word) =>
		reader.findAll(word).flatMap((list) => list.numbers),
	);
	const set = new Set(others);
	return numbers.every((number) => set.has(number));
}
