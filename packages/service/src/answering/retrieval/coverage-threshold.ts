import type { FoundPassage } from "@stemma/client";
import { toPassageIndex } from "../../knowledge/passage-id";
import type { PassageIndex } from "../../knowledge/repositories/passage-index";

/** Question and the passages that may answer it. */
export interface CoverageCheck {
	readonly question: string;
	/** Ids. */
	readonly knowledgeBases: readonly string[];
	readonly passages: readonly FoundPassage[];
	/** Share of the question, 0 to 1. Its default was measured: docs/answers.md has the curve. */
	readonly minCoverage: number;
}

/**
 * Checks whether passages cover enough of what a question is about to answer it. How far the first one is ahead of the
 * second in the search counts, too: what is asked about something else is found in many places as well or as badly.
 */
export async function reachesMinCoverage(
	{ computeCoverage }: Pick<PassageIndex, "computeCoverage">,
	{ question, knowledgeBases, passages, minCoverage }: CoverageCheck,
): Promise<boolean> {
	if (passages.length === 0) return false;
	const coverage = await computeCoverage({
		question,
		knowledgeBases,
		passages: passages.map(({ document_id, passage_id }) => ({
			document_id,
			ordinal: toPassageIndex(passage_id),
		})),
		lead: toLead(passages),
	});
	return coverage >= minCoverage;
}

/** Difference between the scores of the first and the second passage, which are shares of the best possible. */
const toLead = ([first, second]: readonly FoundPassage[]): number =>
	Math.max(0, (first?.score ?? 0) - (second?.score ?? 0));
