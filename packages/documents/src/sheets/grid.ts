import { UnreadableError } from "../unreadable-error";

/** Kind of a cell's value. `other`: booleans, errors, addresses, marks such as `—`. */
export type CellKind = "text" | "number" | "date" | "other";

/** Cell of a sheet that holds a text. Rows and columns count from 1. */
export interface GridCell {
	readonly row: number;
	readonly column: number;
	/** Text as a spreadsheet shows it. */
	readonly text: string;
	readonly kind: CellKind;
	readonly isBold?: boolean | undefined;
	/** Direction in which a merged cell covers this one, whose text it then has. */
	readonly covered?: "across" | "down" | undefined;
}

/** Cells of one row by their columns, never empty. */
export type GridRow = readonly GridCell[];

/** Maximum number of filled cells of one document: more take more memory than one document is given. */
const MAX_CELLS = 500_000;
/** Maximum length of all cells: a short file can name one long text in each of them. */
const MAX_CELL_CHARACTERS = 20_000_000;

/** Counts a cell, by its text. @throws UnreadableError beyond the limits. */
export type CellCounter = (text: string) => void;

/** Creates the counter of one document's cells. */
export function createCellCounter(): CellCounter {
	let cells = 0;
	let characters = 0;
	return (text) => {
		cells += 1;
		characters += text.length;
		if (cells > MAX_CELLS) throw tooManyError(MAX_CELLS, "cells");
		if (characters > MAX_CELL_CHARACTERS) throw tooManyError(MAX_CELL_CHARACTERS, "characters in its cells");
	};
}

const tooManyError = (limit: number, what: string): UnreadableError =>
	new UnreadableError(`it has more than ${limit.toLocaleString("en-US")} ${what}`, { code: "too_complex" });

/** Cells that hold texts of their own, without those that a merged cell covers. */
export const ownCells = (row: GridRow): GridRow => row.filter(({ covered }) => covered === undefined);

/** Columns that any of the rows uses, in order. */
export const listColumns = (rows: readonly GridRow[]): number[] =>
	[...new Set(rows.flatMap((row) => row.map(({ column }) => column)))].sort((a, b) => a - b);
