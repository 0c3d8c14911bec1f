import type { ReceiptRow } from "@stemma/core";
import { isStemmaError } from "@stemma/core/errors";
import { isJsonObject } from "@stemma/core/internal";

/**
 * `error.type` of what a call threw.
 *
 * @param fallback - for errors without a code.
 */
export function toErrorType(error: unknown, fallback: string, signal?: AbortSignal): string {
	if (signal?.aborted === true) return "cancelled";
	return isStemmaError(error) ? error.code : fallback;
}

/** Receipt of the calls that were made before an error; none where it has none. */
export function readErrorRows(error: unknown): readonly ReceiptRow[] {
	if (!(error instanceof Error && "receipt" in error && Array.isArray(error.receipt))) return [];
	return error.receipt.filter(isRow);
}

const isRow = (value: unknown): value is ReceiptRow =>
	isJsonObject(value) && typeof value.provider === "string" && typeof value.vendor_host === "string";
