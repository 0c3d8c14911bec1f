import type { JobFile } from "../store/jobs";
import { findHighestScore } from "./compare-indexes";
import type { Hit } from "./hit";
import type { QueryWord } from "./query-words";
import { toIndexQueries } from "./word-lookups";

export interface HitOptions {
	readonly limit: number;
	/** Numbers: only passages of these. */
	readonly documents: readonly number[] | undefined;
}

/**
 * Passages with any of the words, best first.
 *
 * @param knowledgeBases - numbers.
 */
export function findByWords(
	file: JobFile,
	knowledgeBases: readonly number[],
	words: readonly QueryWord[],
	{ limit, documents }: HitOptions,
): readonly Hit[] {
	if (words.length === 0) return [];
	const queries = toIndexQueries(knowledgeBases, words);
	const within = documents === undefined ? [] : [JSON.stringify(documents)];
	const perIndex = queries.map((query) => {
		const sql = toHitsSql(query.table, documents !== undefined);
		const hits = file.prepare(sql).all(query.expression, ...within, limit) as unknown as Hit[];
		if (queries.length === 1 || hits.length === 0) return hits;
		const highest = findHighestScore(file, query, words);
		return hits.map(({ number, score }) => ({ number, score: score / highest }));
	});
	return perIndex
		.flat()
		.sort((a, b) => b.score - a.score)
		.slice(0, limit);
}

/**
 * A word of the title counts twice: measured on five collections of questions. Not `ORDER BY rank`, which keeps the places
 * of all words in all hits.
 */
const toHitsSql = (table: string, isFiltered: boolean): string =>
	`SELECT rowid AS number, -bm25(${table}, 0, 2, 1, 1) AS score FROM ${table} WHERE ${table} MATCH ?${
		isFiltered
			? ` AND (SELECT document FROM passages WHERE passages.number = ${table}.rowid) IN (SELECT value FROM json_each(?))`
			: ""
	} ORDER BY score DESC LIMIT ?`;
