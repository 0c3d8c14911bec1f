import { type ReceiptRow, StemmaError, type StemmaErrorOptions } from "@stemma/core";

/** Creates the error of a failed call to another agent, with the receipt of the calls that it made before. */
export const createRemoteError = (
	message: string,
	options: StemmaErrorOptions,
	receipt: readonly ReceiptRow[],
): StemmaError => new StemmaError(message, options, { receipt });
