/** Checks whether a path is one of the OpenAI-compatible routes, whose errors have OpenAI's `type` as well. */
export const isOpenAiPath = (path: string): boolean =>
	/^\/v1\/(chat\/completions|embeddings|models)(\/|$)/.test(path);

const TYPES: { readonly [status: number]: string } = {
	401: "authentication_error",
	403: "permission_error",
	404: "not_found_error",
	429: "rate_limit_error",
};

export const toOpenAiErrorType = (status: number): string =>
	TYPES[status] ?? (status >= 500 ? "server_error" : "invalid_request_error");
