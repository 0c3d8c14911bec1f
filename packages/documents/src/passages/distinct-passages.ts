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
 *
 * @param onRepeat - gets each passage that repeats one of those; all passages are read then.
 */
export function takeDistinct<Passage extends PassageContent>(
	passages: Iterable<Passage>,
	max: number,
	onRepeat?: (passage: Passage, repeat: Passage) => void,
): DistinctPassages<Passage> {
	const passagesByKey = new Map<string, Passage>();
	let duplicates = 0;
	for (const passage of passages) {
		const key = JSON.stringify([normalizeSpace(passage.place.heading ?? ""), normalizeSpace(passage.text)]);
		const earlier = passagesByKey.get(key);
		if (earlier !== undefined) {
			duplicates += 1;
			onRepeat?.(earlier, passage);
		} else if (passagesByKey.size < max) passagesByKey.set(key, passage);
		if (passagesByKey.size >= max && onRepeat === undefined) break;
	}
	return { passages: [...passagesByKey.values()], duplicates };
}

const normalizeSpace = (text: string): string => text.replace(/\s+/g, " ").trim();
