import { createCoverageReader, type QueryTerm, toQueryTerms } from "@stemma/core/internal";
import { foldText } from "@stemma/documents";
import { computeCoverage, type PassageTexts } from "@stemma/routing/extractive";
import { toInverseDocumentFrequency, toLeadWeight } from "./few-passages";
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

/** Passages among which a question is asked. */
export interface CoverageStatistics {
	/** Numbers of passages with each term, in their order. */
	readonly counts: readonly number[];
	/** Number of all passages. */
	readonly total: number;
	/** Score of the first passage in the search less that of the second, 0 to 1. */
	readonly lead: number;
}

/** Computes the share of a question that passages cover; 0 where there is none. */
export function computeQuestionCoverage(
	terms: readonly QueryTerm[],
	{ counts, total, lead }: CoverageStatistics,
	passages: readonly StoredTexts[],
): number {
	const factors = toJointFactors(terms.map(({ word }, term) => ({ word, count: counts[term] ?? 0 })));
	const weights = terms.map(
		({ importance }, term) =>
			importance * (factors[term] ?? 1) * toInverseDocumentFrequency(counts[term] ?? 0, total),
	);
	return computeCoverage(passages.map(toPassageTexts), createCoverageReader(terms), weights, {
		score: lead,
		weight: toLeadWeight(total),
	});
}

const toPassageTexts = ({ title, heading, text }: StoredTexts): PassageTexts => ({
	document: foldText(title),
	heading: foldText(heading ?? ""),
	text: foldText(text),
});
