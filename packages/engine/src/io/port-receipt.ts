import type { ReceiptRow } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";

/**
 * The rows of calls that others made, of an outcome or of an error: none where there are none. Figures that are no
 * numbers would make those of the whole run useless: they count nothing, and the row says that it is an estimate.
 */
export function readReceipt(source: unknown): readonly ReceiptRow[] {
	try {
		if (typeof source !== "object" || source === null || !("receipt" in source)) return [];
		return Array.isArray(source.receipt) ? source.receipt.filter(isJsonObject).flatMap(readRow) : [];
	} catch {
		// What comes from elsewhere may throw when it is read.
		return [];
	}
}

function readRow(row: Readonly<Record<string, unknown>>): ReceiptRow[] {
	if (isReceiptRow(row)) return [row];
	const { input_tokens, output_tokens } = row;
	const estimate = {
		...row,
		input_tokens: isCount(input_tokens) ? input_tokens : 0,
		output_tokens: isCount(output_tokens) ? output_tokens : 0,
		estimated: true,
	};
	return isReceiptRow(estimate) ? [estimate] : [];
}

/** The port's types tell what the other fields are; only these are reckoned with. */
export const isReceiptRow = (row: unknown): row is ReceiptRow =>
	isJsonObject(row) && isCount(row.input_tokens) && isCount(row.output_tokens);

const isCount = (value: unknown): value is number => Number.isFinite(value) && Number(value) >= 0;
