import { count } from "./count";
import { type Piece, toTextPieces } from "./escape-invisible";

/** Layout of values in terminal rows: the width, and the prefix of each row after the first. */
export interface RowShape {
	readonly columns: number;
	/** Prefix of each row but the first; no text can precede it. */
	readonly prefix: string;
}

/** Fewer would have no room, and more are not read. */
const COLUMNS = { least: 40, most: 120, unknown: 80 };

/**
 * Returns the width of rows on a stream: the last column stays free, since terminals may begin the next row by
 * themselves.
 */
export function getColumns({ columns }: Pick<NodeJS.WriteStream, "columns">): number {
	return Math.min(Math.max(columns || COLUMNS.unknown, COLUMNS.least), COLUMNS.most) - 1;
}

/** Rows that no terminal breaks by itself. */
export function toRows(pieces: readonly Piece[], { columns, prefix }: RowShape): string[] {
	const rows: string[] = [];
	const start = measureColumns(toTextPieces(prefix));
	let row = "";
	let used = 0;
	for (const piece of pieces) {
		if (used + piece.columns > columns && row !== "") {
			rows.push(row);
			row = prefix;
			used = start;
		}
		row += piece.text;
		used += piece.columns;
	}
	return [...rows, row];
}

export interface Cut {
	readonly pieces: readonly Piece[];
	/** Characters that are not shown. */
	readonly leftOut: number;
}

/** The beginning and the end, where all would not fit, with how much lies between: `\{… 3,100 characters …}`. */
export function cutToColumns(pieces: readonly Piece[], columns: number): Cut {
	if (measureColumns(pieces) <= columns) return { pieces, leftOut: 0 };
	const total = countCharacters(pieces);
	const room = Math.max(0, columns - toElision(total).columns);
	const head = takeColumns(pieces, Math.ceil(room / 2));
	const tail = takeColumns(pieces.slice(head.length).reverse(), Math.floor(room / 2)).reverse();
	const leftOut = total - countCharacters(head) - countCharacters(tail);
	return { pieces: [...head, toElision(leftOut), ...tail], leftOut };
}

/** A label and a value in as many rows as they may have; the value alone is cut. */
export function cutToRows(
	{ label, value }: { readonly label: readonly Piece[]; readonly value: readonly Piece[] },
	rows: number,
	shape: RowShape,
): { readonly rows: readonly string[]; readonly leftOut: number } {
	const rowsOf = (pieces: readonly Piece[]): string[] => toRows([...label, ...pieces], shape);
	let cut: Cut = { pieces: value, leftOut: 0 };
	let columns = rows * shape.columns - measureColumns(label);
	// What rows lose where a piece does not fit any more is not known before.
	for (; columns > 0 && rowsOf(cut.pieces).length > rows; columns -= 2) cut = cutToColumns(value, columns);
	return { rows: rowsOf(cut.pieces), leftOut: cut.leftOut };
}

/** One line: line breaks are written as `\u{a}`, and what is longer is cut. */
export const truncateLine = (text: string, columns: number): string =>
	cutToColumns(toTextPieces(text), columns)
		.pieces.map(({ text }) => text)
		.join("");

/** All of a text behind a bar, so that none of it looks like a line of ours. */
export function quoteBlock(text: string, columns: number): string {
	const prefix = "│ ";
	const lines = text.replace(/\t/g, "    ").split(/\r?\n/);
	return lines
		.flatMap((line) => toRows([...toTextPieces(prefix), ...toTextPieces(line)], { columns, prefix }))
		.map((row) => `${row.trimEnd()}\n`)
		.join("");
}

export const measureColumns = (pieces: readonly Piece[]): number =>
	pieces.reduce((sum, { columns }) => sum + columns, 0);

const countCharacters = (pieces: readonly Piece[]): number =>
	pieces.reduce((sum, { characters }) => sum + characters, 0);

function toElision(leftOut: number): Piece {
	const text = `\\{… ${count(leftOut, "character")} …}`;
	return { text, columns: text.length + 2, characters: leftOut };
}

export function takeColumns(pieces: readonly Piece[], columns: number): Piece[] {
	let used = 0;
	const end = pieces.findIndex((piece) => {
		used += piece.columns;
		return used > columns;
	});
	return pieces.slice(0, end === -1 ? pieces.length : end);
}
