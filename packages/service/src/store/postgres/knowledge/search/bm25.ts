/** Constants of FTS5's BM25 (sqlite.org/fts5.html, section 5.1.1), so that scores are those of SQLite. */
const K1 = 1.2;
const B = 0.75;
const MIN_IDF = 1e-6;

/** Totals of a word index. */
export interface IndexTotals {
	readonly passageCount: number;
	readonly tokenCount: number;
}

/** Computes how rare a word is that a number of passages have. */
export function computeIdf(passageCount: number, count: number): number {
	const idf = Math.log((passageCount - count + 0.5) / (count + 0.5));
	return idf <= 0 ? MIN_IDF : idf;
}

/**
 * Computes what a word adds to the score of a passage.
 *
 * @param frequency - how often the passage has it.
 * @param tokenCount - of the passage.
 */
export function computeWordScore(
	idf: number,
	frequency: number,
	tokenCount: number,
	totals: IndexTotals,
): number {
	const length = K1 * (1 - B + (B * tokenCount) / (totals.tokenCount / totals.passageCount));
	return idf * ((frequency * (K1 + 1)) / (frequency + length));
}
