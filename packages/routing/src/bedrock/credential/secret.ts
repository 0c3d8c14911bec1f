import { rejectOption } from "../../http/call-options";
import { asText, type Fields } from "../../http/lenient-json";

/** Keys of AWS, which sign each request. */
export interface AwsKeys {
	readonly accessKeyId: string;
	readonly secretAccessKey: string;
	/** Session token of temporary keys, which are only valid with it. */
	readonly sessionToken?: string | undefined;
	/** Region, for endpoints whose `baseUrl` names none, such as private gateways. */
	readonly region?: string | undefined;
	readonly apiKey?: never;
}

/** A Bedrock API key, which is sent as it is. */
export interface BedrockApiKey {
	readonly apiKey: string;
	readonly accessKeyId?: never;
	readonly region?: never;
}

/** Secret that a request is signed or authorised with. */
export type BedrockSecret = AwsKeys | BedrockApiKey;

/** Outside the objects that stand for them: what is not in an object cannot be shown, copied or logged with it. */
const secrets = new WeakMap<object, BedrockSecret>();

export function attachSecret(holder: object, secret: BedrockSecret): void {
	secrets.set(holder, secret);
}

/**
 * The secret itself, for what signs and sends.
 *
 * @throws ConfigurationError for what neither is one nor stands for one, a copy of a parsed credential included.
 */
export function getSecret(credential: object): BedrockSecret {
	const secret: Fields = { ...(secrets.get(credential) ?? credential) };
	if (!isSecret(secret))
		rejectOption(
			"credential",
			"`{ accessKeyId, secretAccessKey, sessionToken? }` or `{ apiKey }`, of ASCII without blanks, or what `parseBedrockCredential` returned (no copy)",
		);
	return secret;
}

/** Checked here, for what cannot be sent would be repeated in the platform's error. A colon is the text form's. */
function isSecret(value: Fields): value is Fields & BedrockSecret {
	const { apiKey, accessKeyId, secretAccessKey, sessionToken = "-", region = "-" } = value;
	const parts = apiKey === undefined ? [accessKeyId, secretAccessKey, sessionToken, region] : [apiKey];
	return parts.every((part) => /^[!-~]+$/.test(asText(part))) && !asText(parts[0]).includes(":");
}
