import type { JobFile } from "../store/jobs";
import { toMatchExpression } from "./match-expression";
import type { QueryWord } from "./query-words";
import { toWordIndex, WORD_INDEXES } from "./word-index";

/** What one word index is asked. */
export interface IndexQuery {
	readonly table: string;
	/** The number of the table. */
	readonly index: number;
	/** For `MATCH`. */
	readonly expression: string;
}

/** How passages of these knowledge bases with any of the words are found. */
export function toIndexQueries(
	knowledgeBases: readonly number[],
	words: readonly QueryWord[],
): readonly IndexQuery[] {
	return [...new Set(knowledgeBases.map(toWordIndex))].map((table) => {
		const within = knowledgeBases.filter((number) => toWordIndex(number) === table);
		const index = (within[0] ?? 0) % WORD_INDEXES;
		return { table, index, expression: toMatchExpression(within, words) };
	});
}

/** How many passages hold a word; in each word index, no more than `most` are counted. */
export function countPassagesWith(
	file: JobFile,
	knowledgeBases: readonly number[],
	word: QueryWord,
	most: number,
): number {
	const counts = toIndexQueries(knowledgeBases, [word]).map(({ table, expression }) =>
		file
			.prepare(`SELECT count(*) AS count FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH ? LIMIT ?)`)
			.get(expression, most),
	);
	return counts.reduce((sum, row) => sum + Number(row?.count ?? 0), 0);
}

/** Whether a passage (a number) holds a word. */
export const holdsWord = (
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
