import type { ErrorBody } from "@stemma/protocol";

/** Checks whether a path is one of Anthropic's, whose errors have its shape. */
export const isAnthropicPath = (path: string): boolean => /^\/v1\/messages(\/|$)/.test(path);

const TYPES: { readonly [status: number]: string } = {
	401: "authentication_error",
	403: "permission_error",
	404: "not_found_error",
	413: "request_too_large",
	429: "rate_limit_error",
	503: "overloaded_error",
	504: "timeout_error",
};

/** Body of an error in Anthropic's shape, with what other errors have in addition. */
export interface AnthropicErrorBody extends ErrorBody {
	readonly type: "error";
	readonly request_id: string;
}

export function toAnthropicErrorBody({ error }: ErrorBody, status: number): AnthropicErrorBody {
	const type = TYPES[status] ?? (status >= 500 ? "api_error" : "invalid_request_error");
	return { type: "error", error: { ...error, type }, request_id: error.request_id };
}
