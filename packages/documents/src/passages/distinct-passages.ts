import type { Place } from "@stemma/core";

/** The part of a passage that a reader sees. */
export interface PassageContent {
	readonly place: Place;
	readonly text: string;
}

export interface DistinctPassages<Passage> {
	/** Passages in their order, each content once. */
	readonly passages: readonly Passage[];
	/** Number of passages that were left out because an earlier one has the same content. */
	readonly duplicates: number;
}

/**
 * Reads passages until there are `max` of different content. Two passages with the same heading and text repeat each
 * other, white space aside, whichever documents and knowledge bases they are from. The heading counts: "30 days" under
 * "Refunds" is not "30 days" under "Notice period".
 */
export function takeDistinct<Passage extends PassageContent>(
	passages: Iterable<Passage>,
	max: number,
): DistinctPassages<Passage> {
	const passagesByKey = new Map<string, Passage>();
	let duplicates = 0;
	for (const passage of passages) {
		const key = JSON.stringify([normalizeSpace(passage.place.heading ?? ""), normalizeSpace(passage.text)]);
		if (passagesByKey.has(key)) duplicates += 1;
		else passagesByKey.set(key, passage);
		if (passagesByKey.size >= max) break;
	}
	return { passages: [...passagesByKey.values()], duplicates };
}

const normalizeSpace = (text: string): string => text.replace(/\s+/g, " ").trim();
