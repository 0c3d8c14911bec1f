import { ConfigurationError } from "@stemma/core/errors";
import { type Connect, createAccessToken } from "./access-token";
import { type Credential, fixedCredential } from "./credential";
import { type ClientOptions, refuseExposedSecret } from "./options";

/**
 * The one credential that the options hold.
 *
 * @param connect - a client with another credential, to reach the token endpoint with.
 * @throws ConfigurationError when there is not exactly one, or a secret stands where others can read it.
 */
export function resolveCredential(options: ClientOptions, connect: Connect): Credential {
	const { clientId, clientSecret, clientKey } = options;
	demandOneCredential({ clientId, clientSecret, clientKey });
	if (clientKey !== undefined) return fixedCredential(demandPlain("clientKey", clientKey));
	refuseExposedSecret("clientSecret", options.dangerouslyAllowBrowser);
	return createAccessToken(
		{
			clientId: demandPlain("clientId", clientId),
			clientSecret: demandPlain("clientSecret", clientSecret),
		},
		connect,
	);
}

type CredentialFields = Readonly<Record<"clientId" | "clientSecret" | "clientKey", string | undefined>>;

function demandOneCredential(fields: CredentialFields): void {
	const { clientId, clientSecret, clientKey } = fields;
	const given = Object.keys(fields).filter((name) => fields[name as keyof CredentialFields] !== undefined);
	if (clientKey === undefined && clientId !== undefined && clientSecret !== undefined) return;
	if (clientKey !== undefined && given.length === 1) return;
	const missing = clientId === undefined ? "clientId" : "clientSecret";
	throw new ConfigurationError(
		given.length === 0
			? "No credential was given: `clientId` and `clientSecret`, or `clientKey`."
			: clientKey === undefined
				? `\`${given[0]}\` was given without \`${missing}\`.`
				: `\`clientKey\` was given together with \`${given.filter((name) => name !== "clientKey").join("` and `")}\`.`,
		{ hint: "Servers use `clientId` and `clientSecret`; browsers and phones use `clientKey` alone." },
	);
}

/** `fetch` quotes a header that it refuses: what no credential can be is refused before. */
export function demandPlain(name: string, value: unknown): string {
	if (typeof value === "string" && /^[\x21-\x7e]+$/.test(value)) return value;
	throw new ConfigurationError(
		`\`${name}\` is not a credential: it is empty, or has a space, a line break or a letter that none has.`,
		{ hint: "Look at how it was copied, or at the environment variable that it comes from." },
	);
}
