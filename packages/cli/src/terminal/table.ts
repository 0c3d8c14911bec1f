/** Lines of cells whose columns begin below one another, each line indented by two blanks. */
export function formatTable(rows: readonly (readonly string[])[]): string {
	const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
	return rows.map((row) => `  ${formatLine(row, widths)}\n`).join("");
}

const formatLine = (row: readonly string[], widths: readonly number[]): string =>
	row
		.map((cell, column) => cell.padEnd(widths[column] ?? 0))
		.join("  ")
		.trimEnd();
