import { ApiError, StreamError } from "@stemma/client";
import { isStemmaError, type ReceiptRow } from "@stemma/core";
import { isJsonObject, isRefusedConnection } from "@stemma/core/internal";

/** The calls that the service made for a request that failed, by its own word; `undefined` where it said nothing. */
export function readErrorReceipt(error: unknown): readonly ReceiptRow[] | undefined {
	const receipt = isFromService(error) ? error.details?.receipt : undefined;
	return Array.isArray(receipt) ? receipt.filter(isReceiptRow) : undefined;
}

/** The service's own rows; the engine checks what it counts by. */
const isReceiptRow = (row: unknown): row is ReceiptRow => isJsonObject(row) && typeof row.payer === "string";

const isFromService = (error: unknown): error is ApiError | StreamError =>
	ApiError.is(error) || (isStemmaError(error) && StreamError.is(error));

/**
 * The error of a model's call, with what is known of the call: the service's row, or `attempts: 0` where no vendor was
 * called. Without either the call may have been made: the run writes an estimated row, with the payer that was resolved.
 *
 * @param hidesReceipts - the service tells this caller of no calls: a failure may be the vendor's.
 */
export function toCallError(error: unknown, hidesReceipts: boolean): unknown {
	if (typeof error !== "object" || error === null) return error;
	const receipt = readErrorReceipt(error);
	if (receipt !== undefined && receipt.length > 0) return Object.assign(error, { receipt });
	return wasNotSent(error, hidesReceipts) ? Object.assign(error, { attempts: 0 }) : error;
}

/**
 * Checks whether a failed request made no model call. True for errors that the service answers without a receipt,
 * unless a proxy may have answered.
 */
function wasNotSent(error: object, hidesReceipts: boolean): boolean {
	if (!ApiError.is(error)) return isRefusedConnection(error);
	return error.status < 500 || !(hidesReceipts || error.code === `http_${error.status}`);
}
