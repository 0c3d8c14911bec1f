import type { RunError } from "@stemma/core";
import { isStemmaError } from "@stemma/core/errors";

/** Error of a run that broke without a terminal event. */
export const INTERNAL_ERROR: RunError = {
	code: "internal_error",
	message: "Something went wrong in the service.",
	hint: "This is an error of the service, not yours. The service's log has the details.",
};

/** Converts the error with which a run broke, or could not be resumed, to the error of the run. */
export function toRunError(error: unknown): RunError {
	if (!isStemmaError(error)) return INTERNAL_ERROR;
	const { code, message, hint } = error;
	return { code, message, ...(hint !== undefined && { hint }) };
}
