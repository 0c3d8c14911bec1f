import { type RunError, StemmaError } from "@stemma/core";

/**
 * Converts what a port threw to the error object of events and results. A Stemma error keeps its code and hint. Accepts
 * any thrown value, including values that throw when they are read.
 */
export function toRunError(error: unknown, code: string): RunError {
	try {
		return readError(error, code);
	} catch {
		return { code, message: "What was thrown cannot be read." };
	}
}

function readError(error: unknown, code: string): RunError {
	if (StemmaError.is(error))
		return {
			code: error.code,
			message: error.message,
			...(error.hint === undefined ? {} : { hint: error.hint }),
		};
	return { code, message: describe(error) };
}

function describe(error: unknown): string {
	if (error instanceof Error) return String(error.message) || "An error without a message was thrown.";
	return typeof error === "string"
		? error
		: `A port threw ${typeof error === "object" ? "an object" : String(error)}.`;
}
