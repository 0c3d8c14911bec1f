import { type ReceiptRow, StemmaError, type StemmaErrorOptions } from "@stemma/core";

/** Why another agent gave nothing, with the calls that it made before that. */
export const createRemoteError = (
	message: string,
	options: StemmaErrorOptions,
	receipt: readonly ReceiptRow[],
): StemmaError => new StemmaError(message, options, { receipt });
