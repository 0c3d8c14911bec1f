import type { PageBox, Place } from "@stemma/core";

/** Cell of a sheet. Rows and columns count from 1. */
export interface SheetCell {
	/** Name of the sheet; left out for files of one table, such as CSV. */
	readonly sheet?: string | undefined;
	readonly row: number;
	readonly column: number;
}

/** Place of a text in the file that it was extracted from. */
export type OriginalPlace =
	/** Without a box where the format has pages, but does not say where on them the text is. */
	| { readonly kind: "page"; readonly page: number; readonly box?: PageBox }
	| ({ readonly kind: "cell" } & SheetCell)
	| { readonly kind: "slide"; readonly slide: number }
	| { readonly kind: "chapter"; readonly chapter: string }
	| { readonly kind: "part"; readonly part: string };

/** Fields of a passage's place that say where in the file it is. */
export type FilePlace = Pick<Place, "page" | "boxes" | "sheet" | "cells" | "slide" | "chapter" | "part">;

/** Joins the places of a text, in reading order, to one. Where they differ in kind, sheet or slide the first one counts. */
export function joinPlaces(places: readonly OriginalPlace[]): FilePlace {
	const [first] = places;
	switch (first?.kind) {
		case undefined:
			return {};
		case "page": {
			const boxes = joinBoxes(places.flatMap((place) => (place.kind === "page" && place.box) || []));
			return { page: first.page, ...(boxes.length > 0 && { boxes }) };
		}
		case "cell":
			return {
				...(first.sheet !== undefined && { sheet: first.sheet }),
				cells: joinCells(places, first.sheet),
			};
		case "slide":
			return { slide: first.slide };
		case "chapter":
			return { chapter: first.chapter };
		case "part":
			return { part: first.part };
	}
}

/** Letters of a column: 1 is `A`, 27 is `AA`. */
export function toColumnName(column: number): string {
	const rest = (column - 1) % 26;
	const name = String.fromCharCode(65 + rest);
	return column <= 26 ? name : toColumnName((column - 1 - rest) / 26) + name;
}

function joinCells(places: readonly OriginalPlace[], sheet: string | undefined): string {
	const cells = places.filter((place) => place.kind === "cell" && place.sheet === sheet);
	const rows = cells.flatMap((place) => (place.kind === "cell" ? place.row : []));
	const columns = cells.flatMap((place) => (place.kind === "cell" ? place.column : []));
	const first = toColumnName(minOf(columns)) + minOf(rows);
	const last = toColumnName(maxOf(columns)) + maxOf(rows);
	return first === last ? first : `${first}:${last}`;
}

const minOf = (numbers: readonly number[]): number => numbers.reduce((one, other) => Math.min(one, other));
const maxOf = (numbers: readonly number[]): number => numbers.reduce((one, other) => Math.max(one, other));

/** Share of a line's height that the gap to the next line may have, so that both are in one box. */
const MAX_LINE_GAP = 1.5;

/** Joins the boxes of lines that follow one another in a column. */
function joinBoxes(boxes: readonly PageBox[]): PageBox[] {
	const joined: PageBox[] = [];
	let lineHeight = 0;
	for (const box of boxes) {
		const last = joined.at(-1);
		if (last !== undefined && isNextLine(last, box, lineHeight)) joined[joined.length - 1] = unite(last, box);
		else joined.push(box);
		lineHeight = box.height;
	}
	return joined;
}

function isNextLine(above: PageBox, box: PageBox, lineHeight: number): boolean {
	if (above.page !== box.page) return false;
	const gap = box.y - (above.y + above.height);
	const overlaps = box.x < above.x + above.width && above.x < box.x + box.width;
	const isSameLine = Math.abs(box.y - above.y) < lineHeight / 2 && box.height <= 2 * lineHeight;
	const follows = gap > -lineHeight && gap < lineHeight * MAX_LINE_GAP;
	return (overlaps && follows) || (isSameLine && Math.abs(box.x - (above.x + above.width)) < lineHeight);
}

function unite(one: PageBox, other: PageBox): PageBox {
	const x = Math.min(one.x, other.x);
	const y = Math.min(one.y, other.y);
	const width = Math.max(one.x + one.width, other.x + other.width) - x;
	const height = Math.max(one.y + one.height, other.y + other.height) - y;
	return { page: one.page, x: round(x), y: round(y), width: round(width), height: round(height) };
}

const round = (points: number): number => Math.round(points * 10) / 10;
