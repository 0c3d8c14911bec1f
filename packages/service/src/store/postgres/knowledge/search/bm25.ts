import type { Posting } from "./postings";

/** Constants of FTS5's BM25 (sqlite.org/fts5.html, section 5.1.1), so that scores are those of SQLite. */
const K1 = 1.2;
const B = 0.75;
const MIN_IDF = 1e-6;
/** A word in the title counts twice, measured on five collections of questions. */
const TITLE_WEIGHT = 2;

/** Totals of a word index. */
export interface IndexTotals {
	readonly passageCount: number;
	readonly tokenCount: number;
}

/** Word with the places in a passage, and its rarity. */
export interface RatedWord {
	readonly idf: number;
	readonly find: (posting: Posting) => readonly number[];
}

/** Computes how rare a word is that a number of passages have. */
export function computeIdf(passageCount: number, count: number): number {
	const idf = Math.log((passageCount - count + 0.5) / (count + 0.5));
	return idf <= 0 ? MIN_IDF : idf;
}

/** Computes the score of a passage; 0 where it has none of the words. */
export function computeBm25(
	posting: Posting,
	words: readonly RatedWord[],
	{ passageCount, tokenCount }: IndexTotals,
): number {
	const length = K1 * (1 - B + (B * posting.tokenCount) / (tokenCount / passageCount));
	let score = 0;
	for (const { idf, find } of words) {
		const frequency = weighPositions(find(posting), posting.titleTokens);
		score += idf * ((frequency * (K1 + 1)) / (frequency + length));
	}
	return score;
}

function weighPositions(positions: readonly number[], titleTokens: number): number {
	let sum = 0;
	for (const position of positions) sum += position <= titleTokens ? TITLE_WEIGHT : 1;
	return sum;
}
