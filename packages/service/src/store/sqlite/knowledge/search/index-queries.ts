import type { QueryWord } from "../../../../knowledge/search/query-words";
import type { JobFile } from "../../../job-file";
import { toMatchExpression } from "./match-expression";
import { toWordIndex, WORD_INDEX_COUNT } from "./word-index";

/** Query of one word index. */
export interface IndexQuery {
	readonly table: string;
	/** The number of the table. */
	readonly index: number;
	/** Expression for `MATCH`. */
	readonly expression: string;
}

/** Creates the queries that find passages of these knowledge bases with any of the words. */
export function toIndexQueries(
	knowledgeBases: readonly number[],
	words: readonly QueryWord[],
): readonly IndexQuery[] {
	return [...new Set(knowledgeBases.map(toWordIndex))].map((table) => {
		const inTable = knowledgeBases.filter((number) => toWordIndex(number) === table);
		const index = (inTable[0] ?? 0) % WORD_INDEX_COUNT;
		return { table, index, expression: toMatchExpression(inTable, words) };
	});
}

/** Counts the passages that contain a word; in each word index, at most `max` are counted. */
export function countPassagesWithWord(
	file: JobFile,
	knowledgeBases: readonly number[],
	word: QueryWord,
	max: number,
): number {
	const counts = toIndexQueries(knowledgeBases, [word]).map(({ table, expression }) =>
		file
			.prepare(`SELECT count(*) AS count FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH ? LIMIT ?)`)
			.get(expression, max),
	);
	return counts.reduce((sum, row) => sum + Number(row?.count ?? 0), 0);
}

/** Checks whether a passage (a number) contains a word. */
export const passageContainsWord = (
	file: JobFile,
	knowledgeBases: readonly number[],
	word: QueryWord,
	passage: number,
): boolean =>
	toIndexQueries(knowledgeBases, [word]).some(
		({ table, expression }) =>
			file
				.prepare(`SELECT 1 AS holds FROM ${table} WHERE ${table} MATCH ? AND rowid = ?`)
				.get(expression, passage) !== undefined,
	);
