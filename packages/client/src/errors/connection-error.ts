import { isStemmaError } from "@stemma/core/errors";
import type { FetchResponse } from "../http/platform";
import { ConnectionError } from "./errors";

/** Converts what `fetch` threw to one of this package's errors, because every platform words it differently. */
export function toConnectionError(error: unknown, url: string, redact: (text: string) => string): unknown {
	if (isStemmaError(error)) return error;
	const { message, cause } = (error ?? {}) as FetchError;
	if (cause?.message === "unexpected redirect") return createRedirectError(url);
	// Where several addresses were tried, the cause has a code alone.
	const description = [toOrigin(url), message, cause?.message || cause?.code].filter(Boolean).join(": ");
	return new ConnectionError(`No connection to ${redact(description).replace(/\.?$/, ".")}`, {
		hint: "Is the service running there? In a browser: is this page's origin among those of the client key?",
		// Whoever prints the error prints its cause.
		...(isSafeToExpose(error, redact) && { cause: error }),
	});
}

/** Errors of networks have these fields. Others may quote what was received: undici's `data` does, cut anywhere. */
const SAFE_ERROR_FIELD = /^(name|message|stack|code|errno|syscall|address|port|cause|errors|\d+|length)$/;

/** Checks whether an error and the errors under it have only safe fields and repeat no credential. */
const isSafeToExpose = (value: unknown, redact: (text: string) => string, depth = 4): boolean =>
	Object(value) === value
		? depth > 0 &&
			Object.getOwnPropertyNames(value).every(
				(name) =>
					SAFE_ERROR_FIELD.test(name) && isSafeToExpose((value as FetchError)[name], redact, depth - 1),
			)
		: redact(String(value)) === String(value);

interface FetchError {
	readonly message?: string;
	readonly cause?: { readonly message?: string; readonly code?: string };
	readonly [field: string]: unknown;
}

const REDIRECTED = "redirected";

export const isRedirect = ({ status, type }: FetchResponse): boolean =>
	type === "opaqueredirect" || (status >= 300 && status < 400 && status !== 304);

export const createRedirectError = (url: string): ConnectionError =>
	new ConnectionError(
		`The address in \`baseUrl\`, ${toOrigin(url)}, answers with a redirect, which is not followed.`,
		{
			code: REDIRECTED,
			hint: "Set `baseUrl` to where the service really is: credentials are sent nowhere else.",
		},
	);

/** Checks whether a connection error may pass in a moment; a redirect does not. */
export const isConnectionLost = (error: unknown): boolean =>
	ConnectionError.is(error) && error.code !== REDIRECTED;

const toOrigin = (url: string): string => url.split("/", 3).join("/");
