import type { ParsedDocument } from "../document-part";
import { findCompounds, joinHyphenated, toSeparator } from "../pdf/layout/join-lines";
import { createTextExtraction, type ExtractedText, type TextExtraction } from "../text-extraction";
import type { RecognizedLine } from "./text-recognizer";

/** Paragraphs that were recognized on a page, in reading order. Boxes are in the page's unit. */
export interface RecognizedPage {
	/** Number of the page, from 1. */
	readonly page: number;
	readonly paragraphs: readonly (readonly RecognizedLine[])[];
}

/** Writes what was recognized as paragraphs with their places; what is a heading is not known. Lists and forms keep their lines. */
export function writeRecognized(pages: readonly RecognizedPage[], title?: string): ParsedDocument {
	const compounds = findCompounds(
		pages.flatMap(({ paragraphs }) => paragraphs.flat().map(({ text }) => text)),
	);
	const extraction = createTextExtraction();
	for (const page of pages) addRecognizedPage(extraction, page, compounds);
	return extraction.finish(title);
}

/** Adds what was recognized on a page. @param compounds - words that have a hyphen of their own. */
export function addRecognizedPage(
	extraction: TextExtraction,
	{ page, paragraphs }: RecognizedPage,
	compounds: ReadonlySet<string>,
): void {
	for (const paragraph of paragraphs) {
		const lines = paragraph.map((line) => toText(page, line));
		if (isRunningText(paragraph))
			extraction.addBlock(joinHyphenated(lines, compounds), { separator: toSeparator(lines) });
		else extraction.addBlock(lines, { separator: "\n" });
	}
}

/** Share of a paragraph's width that a line of running text fills, unless it is the last one. */
const FULL_LINE = 0.8;

function isRunningText(lines: readonly RecognizedLine[]): boolean {
	const left = Math.min(...lines.map(({ x }) => x));
	const width = Math.max(...lines.map((line) => line.x + line.width)) - left;
	const full = lines.filter((line) => line.x + line.width - left >= FULL_LINE * width).length;
	return full >= (lines.length - 1) / 2;
}

const toText = (page: number, { text, x, y, width, height }: RecognizedLine): ExtractedText => {
	const box = { page, x: round(x), y: round(y), width: round(width), height: round(height) };
	return { text, place: { kind: "page", page, box } };
};

const round = (length: number): number => Math.round(length * 10) / 10;
