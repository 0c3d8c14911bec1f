import type { Place } from "@stemma/core";

/**
 * Location of a passage in its file, in words: `page 3`, `sheet Fees, cells A1:C9`. Empty for formats that have headings
 * alone.
 */
export function describePlace(place: Place): string {
	const { page, sheet, cells, slide, chapter, part } = place;
	return [
		page === undefined ? "" : describePages(page, place.boxes?.at(-1)?.page ?? page),
		sheet === undefined ? "" : `sheet ${sheet}`,
		cells === undefined ? "" : `cells ${cells}`,
		slide === undefined ? "" : `slide ${slide}`,
		chapter === undefined ? "" : `chapter ${chapter}`,
		part === undefined ? "" : describePart(part),
	]
		.filter((text) => text !== "")
		.join(", ");
}

const describePages = (first: number, last: number): string =>
	last > first ? `pages ${first}-${last}` : `page ${first}`;

/** Parts of a message that have names of their own; others are attachments. */
const PARTS: Readonly<Record<string, string>> = { body: "", quoted: "quoted message" };

const describePart = (part: string): string => PARTS[part] ?? `attachment ${part}`;
