import { ConfigurationError } from "@stemma/core/errors";
import { withoutUndefined } from "@stemma/core/internal";
import type { ClientSecret, Connect } from "./access-token";
import { type Credential, fixedCredential, isPlain, redact } from "./credential";
import { createInvalidAnswerError } from "./invalid-answer";
import { type ClientOptions, refuse, refuseExposedSecret } from "./options";

/**
 * The one credential that the options hold.
 *
 * @param connect - a client with another credential, to reach the token endpoint with.
 * @throws ConfigurationError when there is not exactly one, or a secret stands where others can read it.
 */
export function resolveCredential(options: ClientOptions, connect: Connect): Credential {
	const { clientId, clientSecret, clientKey } = options;
	const given = Object.keys(withoutUndefined({ clientId, clientSecret, clientKey })).join("` and `");
	if (given === "clientKey") return fixedCredential(demandPlain(given, clientKey));
	if (given !== "clientId` and `clientSecret")
		throw new ConfigurationError(
			`The options need \`clientId\` and \`clientSecret\`, or \`clientKey\` alone; given: ${given ? `\`${given}\`` : "none"}.`,
			{
				hint: "Servers use the first, browsers and phones the second. What is `undefined` counts as not given.",
			},
		);
	refuseExposedSecret("clientSecret", options.dangerouslyAllowBrowser);
	return loadAccessToken(
		{
			clientId: demandPlain("clientId", clientId),
			clientSecret: demandPlain("clientSecret", clientSecret),
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
				createInvalidAnswerError,
				isPlain,
				redact,
			});
			return loaded.authorization();
		},
		isAccessToken: true,
		renew: async (refusal) => loaded?.renew(refusal) ?? false,
		redact: (text) => loaded?.redact(text) ?? redact(text, [clientSecret, encodeURIComponent(clientSecret)]),
	};
}

/** @throws ConfigurationError for what no credential can be. */
export function demandPlain(name: string, value: unknown): string {
	if (isPlain(value)) return value;
	refuse(
		name,
		"is empty, or has a character that no credential has",
		"Look for a space or a line break, and at the environment variable that it comes from.",
	);
}
