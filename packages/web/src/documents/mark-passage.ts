import type { Citation } from "@stemma/client";
import { fromMarkdown } from "./without-markup";

/** Text of a document in three parts; `marked` is empty where the passage is not there to the letter. */
export interface MarkedText {
	readonly before: string;
	readonly marked: string;
	readonly after: string;
}

/**
 * Marks a passage in the text of its document: at its place, if the text there is still that of the passage; else where
 * its text is found exactly once; else nowhere. A wrong sentence is never marked.
 *
 * @param offset - position of `text` in the whole text.
 */
export function markPassage(text: string, { place, text: passage }: PassagePlace, offset = 0): MarkedText {
	if (isAtPlace(text, { place, text: passage }, offset))
		return split(text, place.start - offset, place.end - offset);
	const found = passage.trim() === "" ? -1 : text.indexOf(passage);
	const isUnique = found >= 0 && text.indexOf(passage, found + 1) < 0;
	return isUnique ? split(text, found, found + passage.length) : { before: text, marked: "", after: "" };
}

/** Checks whether a passage still is where it was when it was cited: then its boxes are those of its lines, too. */
export function isAtPlace(text: string, { place, text: passage }: PassagePlace, offset = 0): boolean {
	const start = place.start - offset;
	const end = place.end - offset;
	return start >= 0 && end <= text.length && start < end && isSameText(text.slice(start, end), passage);
}

/** Text and place of a citation, or of a passage that was found. */
export type PassagePlace = Pick<Citation, "place" | "text">;

const split = (text: string, start: number, end: number): MarkedText => ({
	before: text.slice(0, start),
	marked: text.slice(start, end),
	after: text.slice(end),
});

/**
 * Compares a part of a document with a passage of it. Passages have other white space than their documents, and not the
 * markup of HTML and Markdown; each word and each sign besides has to be the same.
 */
const isSameText = (part: string, passage: string): boolean =>
	withoutSpace(part) === withoutSpace(passage) || toWords(part) === toWords(passage);

const toWords = (text: string): string => withoutSpace(fromMarkdown(text));

const withoutSpace = (text: string): string => text.replace(/\s+/gu, "");
