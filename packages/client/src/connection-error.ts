import { isStemmaError } from "@stemma/core/errors";
import type { Credential } from "./credential";
import { ConnectionError } from "./errors";

/** What `fetch` threw, as an error of ours: every platform words it differently. */
export function toConnectionError(error: unknown, url: string, { redact }: Credential): unknown {
	if (isStemmaError(error)) return error;
	const origin = /^[^/]+\/\/[^/]+/.exec(url)?.[0] ?? url;
	const said = [error, (error as { cause?: unknown } | undefined)?.cause]
		.flatMap((one) => (one instanceof Error ? [one.message] : []))
		.filter((message) => message !== "");
	return new ConnectionError(
		redact(`No connection to ${origin}${said.length > 0 ? `: ${said.join(": ")}` : ""}.`),
		{
			hint: "Is the service running there? In a browser: is this page's origin among those of the client key?",
			cause: error,
		},
	);
}
