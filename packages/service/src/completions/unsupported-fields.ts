import { DomainError } from "../errors/domain-error";
import type { CompletionRequest } from "./completion-request";

/** A field that is not passed on to any model, and when it asks for something. */
interface UnsupportedField {
	readonly isRequested: (request: CompletionRequest) => boolean;
	readonly message: string;
}

const UNSUPPORTED_FIELDS: { readonly [field: string]: UnsupportedField } = {
	n: { isRequested: ({ n }) => (n ?? 1) !== 1, message: "Only one choice per request is supported." },
	logprobs: {
		isRequested: ({ logprobs }) => logprobs === true,
		message: "Log probabilities are not supported.",
	},
	top_logprobs: {
		isRequested: ({ top_logprobs: top }) => typeof top === "number" && top > 0,
		message: "Log probabilities are not supported.",
	},
	modalities: {
		isRequested: ({ modalities }) => Array.isArray(modalities) && modalities.some((kind) => kind !== "text"),
		message: "Only text output is supported.",
	},
	audio: { isRequested: ({ audio }) => audio != null, message: "Only text output is supported." },
	web_search_options: {
		isRequested: ({ web_search_options: options }) => options != null,
		message: "Web search is not supported.",
	},
	moderation: {
		isRequested: ({ moderation }) => moderation != null,
		message: "Moderation is not supported.",
	},
};

/**
 * Refuses what would change the answer and is passed on to no model.
 *
 * @throws DomainError `unsupported_parameter`
 */
export function assertSupported(request: CompletionRequest): void {
	for (const [field, { isRequested, message }] of Object.entries(UNSUPPORTED_FIELDS))
		if (isRequested(request)) throw createUnsupportedError(field, message);
}

export const createUnsupportedError = (param: string, message: string, cause?: unknown): DomainError =>
	new DomainError("unsupported_parameter", message, {
		param,
		hint: `Leave \`${param}\` out.`,
		...(cause !== undefined && { cause }),
	});
