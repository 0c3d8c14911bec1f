/** Largest head of a request, in bytes: its first line and all its headers. */
export const MAX_HEADER_BYTES = 16 * 1024;

/** A request that is refused before any route sees it. Each server writes it in its own format of errors. */
export interface BadRequest {
	readonly status: 400 | 408 | 431;
	readonly code: "invalid_request" | "invalid_host" | "request_timeout" | "headers_too_large";
	readonly message: string;
	readonly hint?: string;
}

/** Request that Node could not parse, or that took too long. @param code - of Node's error. */
export function toBadRequest(code: string | undefined): BadRequest {
	if (code === "ERR_HTTP_REQUEST_TIMEOUT")
		return {
			status: 408,
			code: "request_timeout",
			message: "The request took too long to arrive.",
			hint: "Send the head of a request at once, and its body without a pause.",
		};
	if (code === "HPE_HEADER_OVERFLOW")
		return {
			status: 431,
			code: "headers_too_large",
			message: `The headers of the request are larger than ${MAX_HEADER_BYTES / 1024} kB.`,
		};
	return { status: 400, code: "invalid_request", message: "Malformed HTTP/1.1 request." };
}

export const invalidTarget: BadRequest = {
	status: 400,
	code: "invalid_request",
	message: "The request's address is not valid.",
	hint: "Send a path that starts with a slash, or a whole address that starts with http:// or https://.",
};

export const invalidHost: BadRequest = {
	status: 400,
	code: "invalid_host",
	message: "The Host header is not the name or address of a machine.",
	hint: "Send the host, with the port if it is not the default one, such as kb.example:4000.",
};

export const duplicateHost: BadRequest = {
	status: 400,
	code: "invalid_host",
	message: "The request has more than one Host header.",
	hint: "Send one Host header.",
};
