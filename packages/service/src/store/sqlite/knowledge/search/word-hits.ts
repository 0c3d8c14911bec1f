import type { Hit } from "../../../../knowledge/search/hit";
import type { QueryWord } from "../../../../knowledge/search/query-words";
import type { JobFile } from "../../../job-file";
import { toIndexQueries } from "./index-queries";
import { maxBm25Score } from "./max-bm25-score";

/** Options of finding passages by words. */
export interface HitLimits {
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
	{ limit, documents }: HitLimits,
): readonly Hit[] {
	if (words.length === 0) return [];
	const queries = toIndexQueries(knowledgeBases, words);
	const documentFilter = documents === undefined ? [] : [JSON.stringify(documents)];
	const perIndex = queries.map((query) => {
		const sql = toHitsSql(query.table, documents !== undefined);
		const hits = file.prepare<Hit>(sql).all(query.expression, ...documentFilter, limit);
		if (queries.length === 1 || hits.length === 0) return hits;
		const maxScore = maxBm25Score(file, query, words);
		return hits.map(({ number, score }) => ({ number, score: score / maxScore }));
	});
	return perIndex
		.flat()
		.sort((a, b) => b.score - a.score)
		.slice(0, limit);
}

/**
 * Returns the SQL of a full-text search. A word in the title counts twice, a weight measured on five collections of
 * questions. The SQL avoids `ORDER BY rank`, which keeps the positions of all words in all hits.
 */
const toHitsSql = (table: string, isFiltered: boolean): string =>
	`SELECT rowid AS number, -bm25(${table}, 0, 2, 1, 1) AS score FROM ${table} WHERE ${table} MATCH ?${
		isFiltered
			? ` AND (SELECT document FROM passages WHERE passages.number = ${table}.rowid) IN (SELECT value FROM json_each(?))`
			: ""
	} ORDER BY score DESC LIMIT ?`;
