import type { Hit } from "../../../../knowledge/search/hit";
import type { QueryWord } from "../../../../knowledge/search/query-words";
import type { JobFile } from "../../../job-file";
import type { SearchedIndex } from "./searched-indexes";

/** Options of finding passages. */
export interface HitLimits {
	readonly limit: number;
	/** Numbers: only passages of these. */
	readonly documents: readonly number[] | undefined;
}

/** Index with the best score that a passage of it could have. */
export interface ScaledIndex {
	readonly index: SearchedIndex;
	readonly maxScore: number;
}

/** Passages with any of the words, best first; scores are shares of the best possible, 0 to about 1. */
export const findByWords = (
	file: JobFile,
	indexes: readonly ScaledIndex[],
	words: readonly QueryWord[],
	{ limit, documents }: HitLimits,
): readonly Hit[] =>
	indexes
		.flatMap(({ index, maxScore }) => {
			const documentFilter = documents === undefined ? [] : [JSON.stringify(documents)];
			const hits = file
				.prepare<Hit>(toHitsSql(index, documents !== undefined))
				.all(index.toExpression(words), ...documentFilter, limit);
			return hits.map(({ number, score }) => ({ number, score: score / maxScore }));
		})
		.sort((a, b) => b.score - a.score || a.number - b.number)
		.slice(0, limit);

/** Returns the SQL of a full-text search. It avoids `ORDER BY rank`, which keeps the positions of all words in all hits. */
const toHitsSql = ({ table, columnWeights }: SearchedIndex, isFiltered: boolean): string =>
	`SELECT rowid AS number, -bm25(${table}, ${columnWeights}) AS score FROM ${table} WHERE ${table} MATCH ?${
		isFiltered
			? ` AND (SELECT document FROM passages WHERE passages.number = ${table}.rowid) IN (SELECT value FROM json_each(?))`
			: ""
	} ORDER BY score DESC, rowid LIMIT ?`;
