import { isStemmaError, StemmaError } from "@stemma/client";

/**
 * Converts a caught value to an error that always has a `code`. Any other value, such as one that a custom `fetch`
 * throws, becomes the cause.
 */
export function toStemmaError(error: unknown): StemmaError {
	if (isStemmaError(error)) return error;
	return new StemmaError(error instanceof Error ? error.message : String(error), {
		code: "unexpected",
		cause: error,
	});
}
