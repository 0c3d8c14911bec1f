import type { QueryWord } from "../../../../knowledge/search/query-words";
import type { JobFile } from "../../../job-file";
import type { IndexQuery } from "./index-queries";
import { toMatchExpression } from "./match-expression";
import { WORD_INDEX_COUNT } from "./word-index";

/**
 * Maximum weight of a word in FTS5's BM25 (sqlite.org/fts5.html, section 5.1.1): no word adds more than this times its
 * rarity.
 */
const MAX_BM25_WORD_WEIGHT = 2.2;
const MIN_IDF = 1e-6;

/**
 * Computes the maximum score in a word index of a passage that matches the whole query. Scores of different indexes are
 * compared as shares of that maximum: how rare a word is differs from index to index.
 */
export function maxBm25Score(
	file: JobFile,
	{ table, index }: IndexQuery,
	words: readonly QueryWord[],
): number {
	const passages = countPassages(file, index);
	return words.reduce((sum, word) => {
		const matchCount = countMatches(file, table, word);
		const idf = Math.log((passages - matchCount + 0.5) / (matchCount + 0.5));
		return sum + MAX_BM25_WORD_WEIGHT * Math.max(MIN_IDF, Number.isNaN(idf) ? 0 : idf);
	}, 0);
}

const COUNT_PASSAGES = `SELECT coalesce(sum(passage_count), 0) AS count FROM knowledge_bases WHERE number % ${WORD_INDEX_COUNT} = ?`;

const countPassages = (file: JobFile, index: number): number =>
	Number(file.prepare(COUNT_PASSAGES).get(index)?.count ?? 0);

function countMatches(file: JobFile, table: string, word: QueryWord): number {
	const row = file
		.prepare(`SELECT count(*) AS count FROM ${table} WHERE ${table} MATCH ?`)
		.get(toMatchExpression(undefined, [word]));
	return Number(row?.count ?? 0);
}
