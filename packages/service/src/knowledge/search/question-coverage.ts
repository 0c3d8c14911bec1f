import { createCoverageReader, type QueryTerm, toQueryTerms } from "@stemma/core/internal";
import { foldText } from "@stemma/documents";
import { computeCoverage, type PassageTexts } from "@stemma/routing/extractive";
import { toJointFactors } from "./joint-pairs";

/** Maximum terms of a question that are compared; only the first ones of a longer one count. */
const MAX_TERMS = 24;

/** Texts of a passage as they are stored. */
export interface StoredTexts {
	readonly title: string;
	readonly heading: string | null;
	readonly text: string;
}

/** Returns the terms of a question that passages may cover. */
export const toCoverageTerms = (question: string): readonly QueryTerm[] =>
	toQueryTerms(foldText(question)).slice(0, MAX_TERMS);

/**
 * Computes the share of a question that passages cover; 0 where there is none.
 *
 * @param counts - numbers of passages with each term, in their order.
 * @param total - number of all passages.
 */
export function computeQuestionCoverage(
	terms: readonly QueryTerm[],
	counts: readonly number[],
	total: number,
	passages: readonly StoredTexts[],
): number {
	const factors = toJointFactors(terms.map(({ word }, term) => ({ word, count: counts[term] ?? 0 })));
	const weights = terms.map(
		({ importance }, term) =>
			importance * (factors[term] ?? 1) * inverseDocumentFrequency(counts[term] ?? 0, total),
	);
	return computeCoverage(passages.map(toPassageTexts), createCoverageReader(terms), weights);
}

const toPassageTexts = ({ title, heading, text }: StoredTexts): PassageTexts => ({
	document: foldText(title),
	heading: foldText(heading ?? ""),
	text: foldText(text),
});

/** Inverse document frequency, as in BM25. */
const inverseDocumentFrequency = (count: number, total: number): number =>
	Math.log(1 + (Math.max(0, total - count) + 0.5) / (count + 0.5));
