import { isStemmaError, StemmaError } from "@stemma/client";

/** What was caught, with a `code` in any case: whatever else `fetch`, say, of one's own throws becomes the cause. */
export function toStemmaError(error: unknown): StemmaError {
	if (isStemmaError(error)) return error;
	return new StemmaError(error instanceof Error ? error.message : String(error), {
		code: "unexpected",
		cause: error,
	});
}
