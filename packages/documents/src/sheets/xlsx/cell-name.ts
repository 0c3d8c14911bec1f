import type { CellPosition, CellRange } from "../merged-cells";

const NAME = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/iu;

/** Position of a cell's name: `B2` is row 2, column 2. */
export function parseCellName(name: string): CellPosition | undefined {
	const [, letters, digits] = NAME.exec(name) ?? [];
	if (letters === undefined || digits === undefined) return undefined;
	const column = [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
	return { row: Number(digits), column };
}

/** Cells of a range's name, such as `B2:D9`. */
export function parseRangeName(name: string): CellRange | undefined {
	const [from, to] = name.split(":").map(parseCellName);
	return from && to && { from, to };
}
