/** Returns how informative a term is: the rarer it is among the sentences at hand, the higher. */
export type TermWeight = (term: string) => number;

/** Sentences about something else, as if they were there: in a few sentences on one thing its name is not common. */
const ASSUMED_SENTENCES = 20;

export function createTermWeight(sentences: readonly ReadonlySet<string>[]): TermWeight {
	const frequencies = new Map<string, number>();
	for (const terms of sentences)
		for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
	const count = sentences.length + ASSUMED_SENTENCES;
	return (term) => {
		const frequency = frequencies.get(term) ?? 0;
		return Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5));
	};
}

export function sumWeights(terms: Iterable<string>, termWeight: TermWeight): number {
	let sum = 0;
	for (const term of terms) sum += termWeight(term);
	return sum;
}

/** The terms of one set that are in the other. */
export function intersect(terms: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
	return [...terms].filter((term) => others.has(term));
}
