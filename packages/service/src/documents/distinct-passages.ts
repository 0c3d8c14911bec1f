import type { Place } from "@stemma/core";

/** The part of a passage that a reader sees. */
export interface PassageContent {
	readonly place: Place;
	readonly text: string;
}

export interface DistinctPassages<Passage> {
	/** In their order, each content once. */
	readonly passages: readonly Passage[];
	/** How many were left out because an earlier one says the same. */
	readonly repeats: number;
}

/**
 * Reads passages until there are `most` of different content. Two passages with the same heading and text repeat each
 * other, white space aside, whichever documents and knowledge bases they are from. The heading counts: "30 days" under
 * "Refunds" is not "30 days" under "Notice period".
 */
export function takeDistinct<Passage extends PassageContent>(
	passages: Iterable<Passage>,
	most: number,
): DistinctPassages<Passage> {
	const taken = new Map<string, Passage>();
	let repeats = 0;
	for (const passage of passages) {
		const key = JSON.stringify([normalizeSpace(passage.place.heading ?? ""), normalizeSpace(passage.text)]);
		if (taken.has(key)) repeats += 1;
		else taken.set(key, passage);
		if (taken.size >= most) break;
	}
	return { passages: [...taken.values()], repeats };
}

const normalizeSpace = (text: string): string => text.replace(/\s+/g, " ").trim();
