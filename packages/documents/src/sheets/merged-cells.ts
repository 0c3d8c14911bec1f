import type { GridCell, GridRow } from "./grid";

/** Row and column, from 1. */
export interface CellPosition {
	readonly row: number;
	readonly column: number;
}

/** Cells of a rectangle. */
export interface CellRange {
	readonly from: CellPosition;
	readonly to: CellPosition;
}

/** Larger merged cells hold a text that stands for itself. */
const MAX_COVERED_CELLS = 1_000;
/** Cells of one sheet that are covered in all; a file may merge millions. */
const MAX_ALL_COVERED_CELLS = 50_000;

/**
 * Gives the cells that a merged cell covers its text, in rows that hold other texts, too: a label beside several rows is
 * the label of each, and a heading over several columns the heading of each.
 */
export function coverMergedCells(rows: readonly GridRow[], merged: readonly CellRange[]): GridRow[] {
	const byRow = new Map(rows.map((row) => [row[0]?.row ?? 0, [...row]]));
	const changed = new Set<GridCell[]>();
	let total = 0;
	for (const { from, to } of merged) {
		const size = (to.row - from.row + 1) * (to.column - from.column + 1);
		const first = byRow.get(from.row)?.find(({ column }) => column === from.column);
		if (first === undefined || size > MAX_COVERED_CELLS || total + size > MAX_ALL_COVERED_CELLS) continue;
		total += size;
		for (let row = from.row; row <= to.row; row++) {
			const cells = byRow.get(row);
			if (cells === undefined) continue;
			const isTaken = new Set(cells.map(({ column }) => column));
			for (let column = from.column; column <= to.column; column++) {
				const covered = row > from.row && column === from.column ? "down" : "across";
				if (!isTaken.has(column)) cells.push({ ...first, row, column, covered });
			}
			changed.add(cells);
		}
	}
	for (const cells of changed) cells.sort((a, b) => a.column - b.column);
	return [...byRow.values()];
}
