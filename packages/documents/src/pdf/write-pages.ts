import type { ParsedDocument } from "../document-part";
import { addRecognizedPage, type RecognizedPage } from "../ocr/write-recognized";
import { createTextExtraction, type ExtractedText } from "../text-extraction";
import { findHeadings, type HeadingLevels, type OutlineEntry } from "./layout/headings";
import { findCompounds, joinHyphenated, toSeparator } from "./layout/join-lines";
import type { PageBlock } from "./layout/lay-out-pages";
import { type Rectangle, surround } from "./layout/page-text";
import type { Paragraph } from "./layout/paragraphs";
import type { TableCell, TextTable } from "./layout/tables";
import type { TextSegment } from "./layout/text-segments";
import { turnBack } from "./turn-text";

/** Facts of a file besides its pages. */
export interface DocumentFacts {
	readonly title?: string | undefined;
	readonly outline: readonly OutlineEntry[];
	/** Pages without text whose images were recognized, in order. Default: none. */
	readonly recognized?: readonly RecognizedPage[];
}

/** Writes blocks in reading order as headings, paragraphs, lists and tables with their places. */
export function writePages(
	blocks: readonly PageBlock[],
	{ title, outline, recognized = [] }: DocumentFacts,
): ParsedDocument {
	const paragraphs = blocks.filter((block): block is Paragraph => block.kind !== "table");
	const compounds = findCompounds(paragraphs.flatMap(({ rows }) => rows.map(({ text }) => text)));
	const extraction = createTextExtraction();
	const toText = (lines: readonly ExtractedText[]): string =>
		joinHyphenated(lines, compounds)
			.map(({ text }) => text)
			.join(toSeparator(lines));
	const waiting = [...recognized];
	const addRecognizedUntil = (page: number): void => {
		while (waiting[0] !== undefined && waiting[0].page < page) {
			addRecognizedPage(extraction, waiting[0], compounds);
			waiting.shift();
		}
	};
	let lead: string | undefined;
	for (const block of joinItems(blocks, findHeadings(paragraphs, outline))) {
		addRecognizedUntil(pageOf(block));
		const before = lead;
		lead = undefined;
		if (block.kind === "heading") {
			extraction.addHeading(block.level, {
				text: toText(toLines(block.paragraph)),
				place: placeOf(block.paragraph),
			});
		} else if (block.kind === "list") {
			const items = block.items.map((item) => ({ text: toText(toLines(item)), place: placeOf(item) }));
			extraction.addBlock(items, { separator: "\n", ...(before !== undefined && { lead: before }) });
		} else if (block.kind === "table") {
			const rows = block.rows.map((row) => toCells(row, toText));
			extraction.addTable({ header: rows.slice(0, block.headerRows), rows: rows.slice(block.headerRows) });
		} else if (block.kind === "code") {
			extraction.addBlock(toLines(block), { separator: "\n" });
		} else {
			const lines = toLines(block);
			extraction.addBlock(joinHyphenated(lines, compounds), { separator: toSeparator(lines) });
			lead = lines.at(-1)?.text.endsWith(":") ? toText(lines) : undefined;
		}
	}
	addRecognizedUntil(Infinity);
	return extraction.finish(title);
}

type WrittenBlock =
	| Paragraph
	| TextTable
	| { readonly kind: "heading"; readonly level: number; readonly paragraph: Paragraph }
	| { readonly kind: "list"; readonly items: readonly Paragraph[] };

/** Blocks with their headings, and with lists of the items that follow one another. */
function joinItems(blocks: readonly PageBlock[], levels: HeadingLevels): WrittenBlock[] {
	const written: WrittenBlock[] = [];
	for (const block of blocks) {
		const level = block.kind === "table" ? undefined : levels.get(block);
		const last = written.at(-1);
		if (block.kind !== "table" && level !== undefined)
			written.push({ kind: "heading", level, paragraph: block });
		else if (block.kind !== "item") written.push(block);
		else if (last?.kind === "list") written[written.length - 1] = { ...last, items: [...last.items, block] };
		else written.push({ kind: "list", items: [block] });
	}
	return written;
}

/** Page on which a block begins. */
function pageOf(block: WrittenBlock): number {
	if (block.kind === "table") return block.rows.flat(2)[0]?.page ?? 0;
	if (block.kind === "list") return pageOfParagraph(block.items[0]);
	return pageOfParagraph(block.kind === "heading" ? block.paragraph : block);
}

const pageOfParagraph = (paragraph: Paragraph | undefined): number =>
	paragraph?.rows[0]?.segments[0]?.page ?? 0;

const toLines = ({ rows }: Paragraph): ExtractedText[] =>
	rows.map((row) => ({ text: row.text, place: toPlace(row.segments[0], row) }));

/** Place of a paragraph as a whole: its rows on its first page. */
function placeOf({ rows }: Paragraph): ExtractedText["place"] {
	const first = rows[0]?.segments[0];
	return toPlace(first, surround(rows.filter(({ segments }) => segments[0]?.page === first?.page)));
}

/** Cells of a row; the first one has the place of the whole row. */
function toCells(row: readonly TableCell[], toText: (cell: TableCell) => string): ExtractedText[] {
	const segments = row.flat();
	const first = row.findIndex((cell) => cell.length > 0);
	return row.map((cell, column) => ({
		text: toText(cell),
		place: column === first ? toPlace(segments[0], surround(segments)) : undefined,
	}));
}

function toPlace(segment: TextSegment | undefined, rectangle: Rectangle): ExtractedText["place"] {
	if (segment === undefined) return undefined;
	const { x, y, width, height } = turnBack(segment.angle, rectangle);
	const box = { page: segment.page, x: round(x), y: round(y), width: round(width), height: round(height) };
	return { kind: "page", page: segment.page, box };
}

const round = (points: number): number => Math.round(points * 10) / 10;
