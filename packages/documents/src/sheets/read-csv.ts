import Papa from "papaparse";
import type { ParsedDocument } from "../document-part";
import { createTextExtraction } from "../text-extraction";
import { kindOfText } from "./cell-kind";
import { findDelimiter } from "./find-delimiter";
import { createCellCounter, type GridRow } from "./grid";
import { writeTables } from "./write-tables";

/** First line by which spreadsheets are told the delimiter. */
const DELIMITER_LINE = /^sep=(.)\r?(?:\n|$)/iu;
/** Character that is in no text that is read. */
const NO_QUOTE = "\0";

/** Reads comma-separated values; the delimiter may be another. */
export const readCsv = (text: string): ParsedDocument => readDelimited(text, ",");

/** Reads tab-separated values; the delimiter may be another. */
export const readTsv = (text: string): ParsedDocument => readDelimited(text, "\t");

function readDelimited(text: string, expected: string): ParsedDocument {
	const [line, named] = DELIMITER_LINE.exec(text) ?? [];
	const content = line === undefined ? text : text.slice(line.length);
	const delimiter = named ?? findDelimiter(content, expected);
	const rows = toRows(parseRecords(content, delimiter), line === undefined ? 1 : 2);
	const extraction = createTextExtraction();
	writeTables(extraction, rows, { isExpected: true });
	return extraction.finish();
}

/** Records of a file. Where a quote never ends, quotes are taken as text, so that no line is lost in it. */
function parseRecords(text: string, delimiter: string): string[][] {
	const { data, errors } = Papa.parse<string[]>(text, { delimiter });
	if (!errors.some(({ code }) => code === "MissingQuotes")) return data;
	return Papa.parse<string[]>(text, { delimiter, quoteChar: NO_QUOTE }).data;
}

/** @param firstRow - number of the first record's row, as a spreadsheet counts it. */
function toRows(records: readonly (readonly string[])[], firstRow: number): GridRow[] {
	const count = createCellCounter();
	return records.flatMap((record, index) => {
		const cells = record.flatMap((text, at) =>
			text.trim() === "" ? [] : { row: firstRow + index, column: at + 1, text, kind: kindOfText(text) },
		);
		for (const { text } of cells) count(text);
		return cells.length === 0 ? [] : [cells];
	});
}
