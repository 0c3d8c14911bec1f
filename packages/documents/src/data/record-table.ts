import type { ExtractedTable, ExtractedText } from "../text-extraction";
import type { DataNode, DataRecord } from "./data-node";
import { toCellText } from "./flat-lines";

/** Bounds of records that are read best as a table. */
const MAX_TABLE_COLUMNS = 12;
const MAX_MEAN_ROW_CHARACTERS = 400;
const MAX_VALUE_SIZE_CHARACTERS = 300;
/** Share of the columns that records have values in. */
const MIN_FILLED_SHARE = 0.5;

/** The table of records with about the same keys; none for records that are too wide, too long or too different. */
export function toRecordTable(items: readonly DataNode[]): ExtractedTable | undefined {
	const records = items.filter((item): item is DataRecord => item.kind === "record");
	if (items.length < 2 || records.length < items.length) return undefined;
	const columns = new Set<string>();
	let cells = 0;
	let size = 0;
	for (const record of records) {
		for (const [key, value] of record.entries) {
			columns.add(key);
			if (columns.size > MAX_TABLE_COLUMNS || value.size > MAX_VALUE_SIZE_CHARACTERS || isDeep(value))
				return undefined;
		}
		cells += record.entries.length;
		size += record.size;
	}
	if (
		cells < columns.size * records.length * MIN_FILLED_SHARE ||
		size > records.length * MAX_MEAN_ROW_CHARACTERS
	)
		return undefined;
	const header = [...columns].map((text) => ({ text }));
	return { header: [header], rows: toRows(records, [...columns]) };
}

/** Tells whether a value has records in it. */
const isDeep = (value: DataNode): boolean =>
	value.kind === "record" || (value.kind === "list" && value.items.some(isDeep));

function* toRows(records: readonly DataRecord[], columns: readonly string[]): Generator<ExtractedText[]> {
	for (const { entries } of records) {
		const values = new Map(entries);
		yield columns.map((column) => {
			const value = values.get(column);
			return { text: value === undefined ? "" : toCellText(value) };
		});
	}
}
