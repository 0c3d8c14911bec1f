import { isStemmaError } from "@stemma/core/errors";
import { DomainError } from "../errors/domain-error";
import { toParam } from "./completion-settings";

/** Replacement for the text of an error of the request, with OpenAI's codes. */
interface RequestErrorOverride {
	readonly code?: string;
	readonly message?: (param: string | undefined) => string;
	readonly hint?: string;
	/** Parameter that is reported where the error names no field. */
	readonly param?: string;
}

const OVERRIDE_BY_CODE: { readonly [code: string]: RequestErrorOverride } = {
	context_length: {
		code: "context_length_exceeded",
		message: () => "The request is longer than the model's context.",
		hint: "Send less text, or ask for fewer tokens.",
	},
	unsupported_parameter: {
		message: (param) =>
			`The model does not support ${param === undefined ? "a setting" : `\`${param}\``}, or not with this value.`,
		hint: "Leave it out, change its value, or choose a model that supports it.",
	},
	bad_request: {},
	output_not_supported: { param: "response_format" },
	tool_choice_not_supported: { param: "tool_choice" },
};

/**
 * The error of an OpenAI-compatible route as OpenAI's clients expect it: what the request is at fault for is a 400.
 *
 * @param input - the field that holds the text.
 */
export function toCompletionError(error: unknown, input = "messages"): unknown {
	if (!(error instanceof DomainError) || !Object.hasOwn(OVERRIDE_BY_CODE, error.code)) return error;
	const { code = error.code, message, hint = error.hint, param } = OVERRIDE_BY_CODE[error.code] ?? {};
	const { cause, details } = error;
	const field = error.code === "context_length" ? input : (toParam(readField(cause)) ?? param);
	return new DomainError(code, message?.(field) ?? error.message, {
		hint,
		origin: "request",
		cause,
		...(field !== undefined && { param: field }),
		...(details !== undefined && { details }),
	});
}

/** The field that an error of a model names. */
const readField = (cause: unknown): string | undefined =>
	isStemmaError(cause) && "field" in cause && typeof cause.field === "string" ? cause.field : undefined;
