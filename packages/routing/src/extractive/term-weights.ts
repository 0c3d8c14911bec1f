import type { Coverage } from "@stemma/core/internal";

/** Sentences about something else, as if they were there: in a few sentences on one thing its name is not common. */
const ASSUMED_SENTENCES = 20;

/** Weights of the terms of a question: the rarer one is among the sentences at hand, the higher. */
export function toTermWeights(termCount: number, sentences: readonly Coverage[]): readonly number[] {
	const count = sentences.length + ASSUMED_SENTENCES;
	return Array.from({ length: termCount }, (_, term) => {
		const frequency = sentences.reduce((sum, coverage) => sum + (coverage[term] ?? 0), 0);
		return Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5));
	});
}
