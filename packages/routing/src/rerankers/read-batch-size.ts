import { rejectOption } from "../http/call-options";

/** @throws ConfigurationError */
export function readBatchSize(batchSize: number): number {
	if (!Number.isInteger(batchSize) || batchSize < 1) rejectOption("batchSize", "a whole number above 0");
	return batchSize;
}
