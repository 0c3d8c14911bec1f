import { isStemmaError } from "@stemma/core/errors";
import type { Credential } from "./credential";
import { ConnectionError } from "./errors";
import type { FetchResponse } from "./platform";

/** What `fetch` threw, as an error of ours: every platform words it differently. */
export function toConnectionError(error: unknown, url: string, { redact }: Credential): unknown {
	if (isStemmaError(error)) return error;
	const { message, cause } = (error ?? {}) as Thrown;
	// Where several addresses were tried, the cause has a code alone.
	const said = [toOrigin(url), message, cause?.message || cause?.code].filter(Boolean).join(": ");
	const clean = redact(said);
	return new ConnectionError(`No connection to ${clean.replace(/\.?$/, ".")}`, {
		hint: "Is the service running there? In a browser: is this page's origin among those of the client key?",
		// Whoever prints the error prints its cause, which may repeat a credential.
		...(clean === said && { cause: error }),
	});
}

interface Thrown {
	readonly message?: string;
	readonly cause?: { readonly message?: string; readonly code?: string };
}

const REDIRECTED = "redirected";

export const isRedirect = ({ status, type }: FetchResponse): boolean =>
	type === "opaqueredirect" || (status >= 300 && status < 400);

export const createRedirectError = (url: string): ConnectionError =>
	new ConnectionError(
		`The address in \`baseUrl\`, ${toOrigin(url)}, answers with a redirect, which is not followed.`,
		{
			code: REDIRECTED,
			hint: "Set `baseUrl` to where the service really is: credentials are sent nowhere else.",
		},
	);

/** What may be over in a moment; a redirect stays. */
export const isBrokenConnection = (error: unknown): boolean =>
	ConnectionError.is(error) && error.code !== REDIRECTED;

const toOrigin = (url: string): string => url.split("/", 3).join("/");
