import { sanitizeLine } from "../terminal";

/** Lines of cells whose columns begin below one another, each line indented by two blanks. No cell is more than one line. */
export function formatTable(texts: readonly (readonly string[])[]): string {
	const rows = texts.map((row) => row.map(sanitizeLine));
	const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
	return rows.map((row) => `  ${formatLine(row, widths)}\n`).join("");
}

/**
 * A table with a line below each row but the first, the header, which begins where the second column does. An empty note
 * has no line.
 */
export function formatNotedTable(rows: readonly (readonly string[])[], notes: readonly string[]): string {
	const [header = "", ...lines] = formatTable(rows).split(/(?<=\n)/);
	const margin = " ".repeat(Math.max(0, ...rows.map(([first = ""]) => sanitizeLine(first).length)) + 2);
	const toLine = (note: string): string => (note === "" ? "" : `  ${margin}${sanitizeLine(note)}\n`);
	return header + lines.map((line, row) => line + toLine(notes[row] ?? "")).join("");
}

const formatLine = (row: readonly string[], widths: readonly number[]): string =>
	row
		.map((cell, column) => cell.padEnd(widths[column] ?? 0))
		.join("  ")
		.trimEnd();
