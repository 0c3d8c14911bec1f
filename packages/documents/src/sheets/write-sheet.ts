import { toColumnName } from "../original-place";
import type { TextExtraction } from "../text-extraction";
import type { GridRow } from "./grid";
import { writeTables } from "./write-tables";

/** Comment on a cell. */
export interface SheetComment {
	readonly row: number;
	readonly column: number;
	readonly text: string;
}

/** Sheet of a workbook. */
export interface Sheet {
	readonly name: string;
	readonly rows: readonly GridRow[];
	readonly comments: readonly SheetComment[];
}

/** Adds a sheet under its name: its tables, then its comments. */
export function writeSheet(extraction: TextExtraction, { name, rows, comments }: Sheet): void {
	if (rows.length === 0 && comments.length === 0) return;
	extraction.addHeading(2, { text: name });
	writeTables(extraction, rows, { sheet: name });
	for (const { row, column, text } of comments) {
		const place = { kind: "cell", sheet: name, row, column } as const;
		extraction.addBlock([{ text: `Comment on ${toColumnName(column)}${row}: ${text.trim()}`, place }]);
	}
}
