import { type Coverage, type CoverageReader, sumCovered, toFoldedWords } from "@stemma/core/internal";
import { splitSentences } from "./split-sentences";

/** Passage that may answer a question, with all that it is found by. */
export interface PassageTexts {
	/** Title of its document. */
	readonly document: string;
	readonly heading: string;
	readonly text: string;
}

/** Shares of a question, 0 to 1. */
interface PassageShares {
	/** Share that the passage holds, with title and heading. */
	readonly whole: number;
	/** Share that its best sentence holds, with title and heading. */
	readonly sentence: number;
	/** Share that its best sentence and the two beside it hold, with title and heading. */
	readonly neighbours: number;
}

/** Lead of the best passage over others. */
export interface PassageLead {
	/** Score of the first passage in a search less that of the second, 0 to 1. Default 0. */
	readonly score?: number;
	/** Weight of this, and of what the best passage covers more than any other, 0 to 1. Default 1. */
	readonly weight?: number;
}

/**
 * Computes how much of a question the passages cover, 0 to 1: the mean of what one sentence covers and what it covers with
 * the two beside it, which stand together by chance less often than words of a passage do; and half of what the best
 * passage covers more than any other, for what is said in one place alone is rarely about something else.
 *
 * @param weights - of the terms that `readCoverage` compares.
 */
export function computeCoverage(
	passages: readonly PassageTexts[],
	readCoverage: CoverageReader,
	weights: readonly number[],
	{ score = 0, weight = 1 }: PassageLead = {},
): number {
	const total = weights.reduce((sum, term) => sum + term, 0);
	if (total === 0 || passages.length === 0) return 0;
	const toShare = (coverage: Coverage): number => sumCovered(coverage, weights) / total;
	const shares = passages.map((passage) => toShares(passage, readCoverage, toShare));
	const best = (name: keyof PassageShares): number => Math.max(...shares.map((each) => each[name]));
	return Math.min(1, (best("sentence") + best("neighbours")) / 2 + weight * (toMargin(shares) / 2 + score));
}

/** The share that the best passage covers more than any other; 0 where there is one passage alone. */
function toMargin(shares: readonly PassageShares[]): number {
	const [first = 0, second = first] = shares.map(({ whole }) => whole).sort((a, b) => b - a);
	return first - second;
}

function toShares(
	{ document, heading, text }: PassageTexts,
	readCoverage: CoverageReader,
	toShare: (coverage: Coverage) => number,
): PassageShares {
	const above = readCoverage(toFoldedWords(`${document}\n${heading}`));
	const sentences = splitSentences(text).map(({ start, end }) =>
		readCoverage(toFoldedWords(text.slice(start, end))),
	);
	const withAbove = sentences.map((sentence) => maxOf([above, sentence]));
	const best = (coverages: readonly Coverage[]): number => Math.max(0, ...coverages.map(toShare));
	return {
		whole: toShare(maxOf([above, ...sentences])),
		sentence: best(withAbove),
		neighbours: best(withAbove.map((_, index) => maxOf(withAbove.slice(Math.max(0, index - 1), index + 2)))),
	};
}

/** The highest shares of several texts. */
export const maxOf = ([first = [], ...others]: readonly Coverage[]): Coverage =>
	first.map((share, term) => Math.max(share, ...others.map((other) => other[term] ?? 0)));
