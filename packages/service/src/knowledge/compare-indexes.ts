import type { JobFile } from "../store/jobs";
import { toMatchExpression } from "./match-expression";
import type { QueryWord } from "./query-words";
import { WORD_INDEXES } from "./word-index";
import type { IndexQuery } from "./word-lookups";

/** Of FTS5's BM25 (sqlite.org/fts5.html, section 5.1.1): no word adds more than this times its rarity. */
const MOST_FOR_A_WORD = 2.2;
const LEAST_RARITY = 1e-6;

/**
 * What a passage that answers the whole query could score at the most in a word index. Scores of different indexes
 * compare as shares of that: a word is rare or common in each index in its own way.
 */
export function findHighestScore(
	file: JobFile,
	{ table, index }: IndexQuery,
	words: readonly QueryWord[],
): number {
	const passages = countPassages(file, index);
	return words.reduce((sum, word) => {
		const holding = countHolding(file, table, word);
		const rarity = Math.log((passages - holding + 0.5) / (holding + 0.5));
		return sum + MOST_FOR_A_WORD * Math.max(LEAST_RARITY, Number.isNaN(rarity) ? 0 : rarity);
	}, 0);
}

const COUNT_PASSAGES = `SELECT coalesce(sum(passage_count), 0) AS count FROM knowledge_bases WHERE number % ${WORD_INDEXES} = ?`;

const countPassages = (file: JobFile, index: number): number =>
	Number(file.prepare(COUNT_PASSAGES).get(index)?.count ?? 0);

function countHolding(file: JobFile, table: string, word: QueryWord): number {
	const row = file
		.prepare(`SELECT count(*) AS count FROM ${table} WHERE ${table} MATCH ?`)
		.get(toMatchExpression(undefined, [word]));
	return Number(row?.count ?? 0);
}
