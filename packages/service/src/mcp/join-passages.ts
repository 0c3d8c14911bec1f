import type { Place } from "@stemma/core";

/** A passage as far as its text goes. */
export interface PassageText {
	readonly text: string;
	readonly place: Place;
}

export interface JoinedPassages {
	readonly text: string;
	/** Number of passages in the text. */
	readonly count: number;
}

/** Default maximum length of the joined text, about as much as a model reads at once. */
const MAX_CHARACTERS = 100_000;

/** Joins passages in their order, each heading before the first that stands under it, until there is enough. */
export function joinPassages(
	passages: readonly PassageText[],
	maxCharacters = MAX_CHARACTERS,
): JoinedPassages {
	const parts: string[] = [];
	let length = 0;
	let heading: string | undefined;
	let count = 0;
	for (const { text, place } of passages) {
		const part =
			place.heading === heading || place.heading === undefined ? text : `${place.heading}\n\n${text}`;
		// The first goes in whole, however long: what is given must get on.
		if (count > 0 && length + part.length > maxCharacters) break;
		parts.push(part);
		length += part.length;
		heading = place.heading;
		count += 1;
	}
	return { text: parts.join("\n\n"), count };
}
