import type { QueryWord } from "../../../../knowledge/search/query-words";
import type { WordAnswer, WordQuestion } from "../../../../knowledge/search/word-questions";
import { type QueryTokens, toBeginningOf, toQueryTokens, toWholeTokens } from "./query-tokens";
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
	const { possible, beginnings: found } = await excludeUnknown(reader, queried);
	await reader.load(possible.filter((word) => !isSinglePrefix(word)));
	const known =
		found ??
		(await filterBeginnings(
			reader.transaction,
			reader.knowledgeBases,
			possible.filter(isSinglePrefix).flatMap((word) => toBeginningOf(word) ?? []),
		));
	return queried.flatMap((word, position) =>
		(isSinglePrefix(word) ? known.has(toBeginningOf(word) ?? "") : hasPassages(reader, word))
			? [position]
			: [],
	);
}

/** Number of words that are looked up in the index one by one: of more, most are variants that no passage has. */
const MAX_LOOKED_UP = 24;

/** Words that may be known, and those of the beginnings among them that are, where that was found out already. */
interface PossibleWords {
	readonly possible: readonly QueryTokens[];
	readonly beginnings?: ReadonlySet<string>;
}

/** Leaves out words of many that no passage has. */
async function excludeUnknown(reader: WordReader, queried: readonly QueryTokens[]): Promise<PossibleWords> {
	// Beginnings are asked for where a word may be misspelled: its variants follow.
	const hasVariants = queried.length > MAX_LOOKED_UP || queried.some(isSinglePrefix);
	const vocabularies = hasVariants ? await reader.readVocabularies() : undefined;
	if (vocabularies === undefined) return { possible: queried };
	const hasToken = (token: string): boolean => vocabularies.some((words) => words.has(token));
	const hasBeginning = (text: string): boolean => vocabularies.some((words) => words.hasBeginning(text));
	const beginnings = queried.filter(isSinglePrefix).flatMap((word) => toBeginningOf(word) ?? []);
	return {
		possible: queried.filter((word) => toWholeTokens(word).every(hasToken)),
		beginnings: new Set(beginnings.filter(hasBeginning)),
	};
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
