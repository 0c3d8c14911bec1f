import { ApiError } from "../http/api-error";
import type { CompletionRequest } from "./completion-request";

/** A field that is not passed on to any model, and when it asks for something. */
interface UnsupportedField {
	readonly isAsked: (request: CompletionRequest) => boolean;
	readonly message: string;
}

const FIELDS: { readonly [field: string]: UnsupportedField } = {
	n: { isAsked: ({ n }) => (n ?? 1) !== 1, message: "One answer is given at a time." },
	logprobs: { isAsked: ({ logprobs }) => logprobs === true, message: "Probabilities are not passed on." },
	top_logprobs: {
		isAsked: ({ top_logprobs: top }) => typeof top === "number" && top > 0,
		message: "Probabilities are not passed on.",
	},
	modalities: {
		isAsked: ({ modalities }) => Array.isArray(modalities) && modalities.some((kind) => kind !== "text"),
		message: "Answers are text alone.",
	},
	audio: { isAsked: ({ audio }) => audio != null, message: "Answers are text alone." },
	web_search_options: {
		isAsked: ({ web_search_options: options }) => options != null,
		message: "Models are not given a web search.",
	},
	moderation: {
		isAsked: ({ moderation }) => moderation != null,
		message: "Nothing is moderated here.",
	},
};

/**
 * Refuses what would change the answer and is passed on to no model.
 *
 * @throws ApiError `unsupported_parameter`
 */
export function assertSupported(request: CompletionRequest): void {
	for (const [field, { isAsked, message }] of Object.entries(FIELDS))
		if (isAsked(request)) throw createUnsupportedError(field, message);
}

export const createUnsupportedError = (param: string, message: string, cause?: unknown): ApiError =>
	new ApiError(400, "unsupported_parameter", message, {
		param,
		hint: `Leave \`${param}\` out.`,
		...(cause !== undefined && { cause }),
	});
