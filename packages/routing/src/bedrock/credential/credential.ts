import { type CredentialText, readCredentialText } from "./credential-text";
import { attachSecret } from "./secret";

/** A credential that shows what kind it is, and no part of itself. Made by {@link parseBedrockCredential} alone. */
class BedrockCredential {
	/** `sigv4`: AWS keys, which sign; `bearer`: a Bedrock API key. */
	readonly kind: "sigv4" | "bearer";
	/** The third part of `ACCESS:SECRET:REGION`, or `region` of the JSON: for endpoints that name no region themselves. */
	declare readonly region?: string;
	/** Keeps objects that only look alike out. */
	declare private readonly isParsed: true;

	constructor({ secret, region }: CredentialText) {
		this.kind = secret.apiKey === undefined ? "sigv4" : "bearer";
		if (region !== undefined) this.region = region;
		attachSecret(this, secret);
		Object.freeze(this);
	}

	toString(): string {
		return `[Bedrock credential: ${this.kind}]`;
	}

	toJSON(): string {
		return this.toString();
	}

	[Symbol.for("nodejs.util.inspect.custom")](): string {
		return this.toString();
	}
}

export type { BedrockCredential };

export interface ParseBedrockCredentialOptions {
	/** Current time, in milliseconds since 1970, which `Expiration` is compared with. Default: `Date.now()`. */
	readonly now?: number | undefined;
}

/**
 * Reads a credential for Bedrock. In the order tried:
 *
 * 1. A JSON object with `access_key_id`, `secret_access_key` and maybe `session_token`; also with the prefix `aws_`, in the
 *    camel case of AWS's SDKs, or as the AWS CLI prints it (`AccessKeyId` …), with or without `Credentials` around it. A
 *    `region` counts where the base URL names none; `Version` and other fields are ignored.
 * 2. `ACCESS:SECRET[:REGION[:SESSION_TOKEN]]`; REGION may be empty.
 * 3. A Bedrock API key: anything without a colon.
 *
 * Blanks around the whole and around each part are cut off. The environment is never read.
 *
 * @throws ConfigurationError, code `invalid_credential`, or `expired_credential` for an `Expiration` in the past. It says
 * what is wrong and how to write it, and repeats no part of it.
 */
export function parseBedrockCredential(
	text: string | undefined,
	options: ParseBedrockCredentialOptions = {},
): BedrockCredential {
	return new BedrockCredential(readCredentialText(text, options.now ?? Date.now()));
}
