import type { Coverage, QueryTerm } from "@stemma/core/internal";

/** Sentences about something else, as if they were there: in a few sentences on one thing its name is not common. */
const ASSUMED_SENTENCES = 20;

/** Weights of the terms of a question: the rarer one is among the sentences at hand, the higher. */
export function toTermWeights(
	terms: readonly QueryTerm[],
	sentences: readonly Coverage[],
): readonly number[] {
	const count = sentences.length + ASSUMED_SENTENCES;
	return terms.map(({ importance }, term) => {
		const frequency = sentences.reduce((sum, coverage) => sum + (coverage[term] ?? 0), 0);
		return importance * Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5));
	});
}
