import { ConfigurationError } from "@stemma/core/errors";
import { omitUndefined } from "@stemma/core/internal";
import { createInvalidResponseError } from "../errors/invalid-response";
import { assertSecretNotExposed, type ClientOptions, rejectOption } from "../options/client-options";
import type { ClientSecret, Connect } from "./access-token";
import { type Credential, fixedCredential, isVisibleAscii, redact } from "./credential";

/**
 * The one credential that the options hold.
 *
 * @param connect - a client with another credential, to reach the token endpoint with.
 * @throws ConfigurationError when there is not exactly one, or a secret stands where others can read it.
 */
export function resolveCredential(options: ClientOptions, connect: Connect): Credential {
	const { clientId, clientSecret, clientKey, session } = options;
	const given = Object.keys(omitUndefined({ clientId, clientSecret, clientKey, session })).join("` and `");
	if (given === "clientKey") return fixedCredential(readCredential(given, clientKey));
	// The browser itself sends the cookie.
	if (given === "session" && session === true) return fixedCredential(undefined);
	if (given !== "clientId` and `clientSecret")
		throw new ConfigurationError(
			`The options need \`clientId\` and \`clientSecret\`, or \`clientKey\` or \`session: true\` alone; given: ${given ? `\`${given}\`` : "none"}.`,
			{
				hint: "Servers use the first, browsers and phones the second, pages of the service the third. What is `undefined` counts as not given.",
			},
		);
	assertSecretNotExposed("clientSecret", options.dangerouslyAllowBrowser);
	return loadAccessToken(
		{
			clientId: readCredential("clientId", clientId),
			clientSecret: readCredential("clientSecret", clientSecret),
		},
		connect,
	);
}

/** Pages have client keys: what fetches tokens is loaded when the first is needed. */
function loadAccessToken(secret: ClientSecret, connect: Connect): Credential {
	const { clientSecret } = secret;
	let loaded: Credential | undefined;
	return {
		async authorization() {
			const { createAccessToken } = await import("./access-token");
			loaded ??= createAccessToken(secret, connect, {
				createInvalidResponseError,
				isVisibleAscii,
				redact,
			});
			return loaded.authorization();
		},
		isAccessToken: true,
		renew: async (errorResponse) => loaded?.renew(errorResponse) ?? false,
		redact: (text) => loaded?.redact(text) ?? redact(text, [clientSecret, encodeURIComponent(clientSecret)]),
	};
}

/** @throws ConfigurationError for what no credential can be. */
export function readCredential(name: string, value: unknown): string {
	if (isVisibleAscii(value)) return value;
	rejectOption(
		name,
		"is empty, or has a character that no credential has",
		"Look for a space or a line break, and at the environment variable that it comes from.",
	);
}
