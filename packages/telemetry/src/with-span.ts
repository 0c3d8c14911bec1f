import type { ReceiptRow } from "@stemma/core";
import { readErrorRows, toErrorType } from "./error-type";
import type { TracedSpan } from "./span";

/** Options of a span around some work. */
export interface SpanRecordOptions {
	/** `error.type` of errors without a code. */
	readonly fallback: string;
	readonly signal: AbortSignal;
	/** Gets the receipt of what was done before the error. */
	readonly onError?: (rows: readonly ReceiptRow[]) => void;
}

/** Ends the span with the work. */
export async function withSpan<Result>(
	span: TracedSpan,
	{ fallback, signal, onError }: SpanRecordOptions,
	work: () => Promise<Result>,
): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		onError?.(readErrorRows(error));
		span.fail(toErrorType(error, fallback, signal));
		throw error;
	} finally {
		span.end();
	}
}
