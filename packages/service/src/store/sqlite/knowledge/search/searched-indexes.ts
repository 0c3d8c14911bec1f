import type { QueryWord } from "../../../../knowledge/search/query-words";
import type { JobFile } from "../../../job-file";
import { hasLegacyWords, LEGACY_INDEX_COUNT, toLegacyIndex } from "./legacy-word-indexes";
import { toMatchExpression, toSharedMatchExpression } from "./match-expression";
import { filterWithWordIndex, toWordIndex } from "./word-index";

/** Word index that a search looks into. */
export interface SearchedIndex {
	readonly table: string;
	/** Weights of its columns for `bm25`. A word in the title counts twice, measured on five collections of questions. */
	readonly columnWeights: string;
	/** Number of its passages. */
	readonly passageCount: number;
	/** Expression for passages with any of the words, of the knowledge bases that are searched. */
	toExpression(words: readonly QueryWord[]): string;
	/** Expression for passages of the whole index. */
	toStatisticsExpression(words: readonly QueryWord[]): string;
}

/** The word indexes of these knowledge bases: one for each, and shared ones as long as words are moved out of these. */
export function findSearchedIndexes(file: JobFile, knowledgeBases: readonly number[]): SearchedIndex[] {
	const own = filterWithWordIndex(file, knowledgeBases).map(
		(number): SearchedIndex => ({
			table: toWordIndex(number),
			columnWeights: "2, 1, 1",
			passageCount: countPassages(file, "number = ?", number),
			toExpression: toMatchExpression,
			toStatisticsExpression: toMatchExpression,
		}),
	);
	return hasLegacyWords(file) ? [...own, ...findSharedIndexes(file, knowledgeBases)] : own;
}

const findSharedIndexes = (file: JobFile, knowledgeBases: readonly number[]): SearchedIndex[] =>
	[...Map.groupBy(knowledgeBases, toLegacyIndex)].map(([table, own]) => ({
		table,
		columnWeights: "0, 2, 1, 1",
		passageCount: countPassages(
			file,
			`number % ${LEGACY_INDEX_COUNT} = ?`,
			(own[0] ?? 0) % LEGACY_INDEX_COUNT,
		),
		toExpression: (words) => toSharedMatchExpression(own, words),
		toStatisticsExpression: (words) => toSharedMatchExpression(undefined, words),
	}));

const countPassages = (file: JobFile, condition: string, parameter: number): number =>
	Number(
		file
			.prepare(`SELECT coalesce(sum(passage_count), 0) AS count FROM knowledge_bases WHERE ${condition}`)
			.get(parameter)?.count ?? 0,
	);

/** Counts the passages of an index with a word, at most `max`. */
export function countPassagesWithWord(
	file: JobFile,
	{ table, toStatisticsExpression }: SearchedIndex,
	word: QueryWord,
	max: number,
): number {
	const sql = `SELECT count(*) AS count FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH ? LIMIT ?)`;
	return Number(file.prepare(sql).get(toStatisticsExpression([word]), max)?.count ?? 0);
}
