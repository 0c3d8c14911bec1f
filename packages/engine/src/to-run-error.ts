import { type RunError, StemmaError } from "@stemma/core";

/** What a port threw, as the error object of events and results. A Stemma error keeps its code and hint. */
export function toRunError(error: unknown, code: string): RunError {
	if (StemmaError.is(error))
		return {
			code: error.code,
			message: error.message,
			...(error.hint === undefined ? {} : { hint: error.hint }),
		};
	return { code, message: describe(error) };
}

/** Anything can be thrown, also what has no text. */
function describe(error: unknown): string {
	if (error instanceof Error) return error.message;
	return typeof error === "string"
		? error
		: `A port threw ${typeof error === "object" ? "an object" : String(error)}.`;
}
