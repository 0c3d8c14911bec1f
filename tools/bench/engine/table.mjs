/** A Markdown table with its columns aligned, so that it reads well in a terminal too. */
export function toTable(headings, rows) {
	const widths = headings.map((heading, column) =>
		Math.max(heading.length, ...rows.map((row) => row[column].length)),
	);
	const toLine = (cells) =>
		`| ${cells.map((cell, column) => align(cell, widths[column], column)).join(" | ")} |`;
	const rule = widths.map((width, column) =>
		column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
	);
	return [toLine(headings), `| ${rule.join(" | ")} |`, ...rows.map(toLine)].join("\n");
}

const align = (cell, width, column) => (column === 0 ? cell.padEnd(width) : cell.padStart(width));
