import { isStemmaError } from "@stemma/core/errors";
import type { Credential } from "./credential";
import { ConnectionError } from "./errors";
import type { FetchResponse } from "./platform";

/** What `fetch` threw, as an error of ours: every platform words it differently. */
export function toConnectionError(error: unknown, url: string, { redact }: Credential): unknown {
	if (isStemmaError(error)) return error;
	const said = [error, (error as { cause?: unknown } | undefined)?.cause]
		.flatMap((one) => (one instanceof Error ? [one.message] : []))
		.filter((message) => message !== "");
	return new ConnectionError(
		redact(`No connection to ${toOrigin(url)}${said.length > 0 ? `: ${said.join(": ")}` : ""}.`),
		{
			hint: "Is the service running there? In a browser: is this page's origin among those of the client key?",
			cause: error,
		},
	);
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

const toOrigin = (url: string): string => /^[^/]+\/\/[^/]+/.exec(url)?.[0] ?? url;
