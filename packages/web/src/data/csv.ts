/** Value of a cell. */
type Cell = string | number;

/**
 * Table as CSV (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe in front, as OWASP
 * advises against CSV injection.
 */
export function toCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
	return [header, ...rows].map((row) => `${row.map(toCell).join(",")}\r\n`).join("");
}

function toCell(value: Cell): string {
	if (typeof value === "number") return String(value);
	const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Saves a text as a file of the person, by the browser's download. */
export function saveCsv(name: string, csv: string): void {
	// The mark at the beginning tells spreadsheets that it is UTF-8.
	const url = URL.createObjectURL(new Blob(["\ufeff", csv], { type: "text/csv;charset=utf-8" }));
	const link = document.createElement("a");
	link.href = url;
	link.download = name;
	link.click();
	URL.revokeObjectURL(url);
}
