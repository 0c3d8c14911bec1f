import { AuthenticationError, ConnectionError } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";

/** Credential that a command sent to a server. */
export type UsedCredential =
	| { readonly kind: "none" | "token" }
	/** That of a service, and where it is from. */
	| { readonly kind: "service"; readonly source: string };

/** An error of an MCP server with what to do about it on a command line; any other as it is. */
export function explainServerError(error: unknown, server: string, credential: UsedCredential): unknown {
	if (AuthenticationError.is(error)) return explainUnauthorized(error, server, credential);
	if (!ConnectionError.is(error)) return error;
	const { code } = error;
	if (code === "redirected")
		return new ConfigurationError(`${server} answers with a redirect, which is not followed.`, {
			code,
			hint: "Pass the address that the redirect leads to: tokens are sent only to the address that you pass.",
			cause: error,
		});
	return new ConfigurationError(`No MCP server answers at ${server}.`, {
		code,
		hint: "Check the address, its port and its path, and that the server runs.",
		cause: error,
	});
}

function explainUnauthorized(
	error: AuthenticationError,
	server: string,
	credential: UsedCredential,
): ConfigurationError {
	const options = { code: error.code, cause: error };
	switch (credential.kind) {
		case "none":
			return new ConfigurationError(`The MCP server at ${server} requires a token.`, {
				...options,
				hint: "Pass a token with --token-env <name> or --token-stdin.",
			});
		case "token":
			return new ConfigurationError("The server refuses this token.", {
				...options,
				hint: `Check that it is for ${server} and has not expired.`,
			});
		case "service":
			return new ConfigurationError(`The service refuses the credentials: ${error.message}`, {
				...options,
				hint: `They are from ${credential.source}. Is ${server} the service that they were made for?`,
			});
	}
}
