import { ConfigurationError } from "@stemma/core/errors";
import { type BedrockSecret, readCredentialText } from "./credential-text";

export type { BedrockSecret };

/** Outside the object: what is not in it cannot be shown, copied or logged with it. */
const secrets = new WeakMap<BedrockCredential, BedrockSecret>();

/** A credential that shows what kind it is, and no part of itself. Made by {@link parseBedrockCredential} alone. */
class BedrockCredential {
	/** `sigv4`: AWS keys, which sign; `bearer`: a Bedrock API key. */
	readonly kind: "sigv4" | "bearer";
	/** The third part of `ACCESS:SECRET:REGION`: for endpoints that name no region themselves. */
	declare readonly region?: string;
	/** Keeps objects that only look alike out. */
	declare private readonly isParsed: true;

	constructor(secret: BedrockSecret, region: string | undefined) {
		this.kind = secret.kind;
		if (region !== undefined) this.region = region;
		secrets.set(this, secret);
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
	/** In milliseconds since 1970; what `Expiration` is compared with. Default: `Date.now()`. */
	readonly now?: number | undefined;
}

/**
 * Reads an `apiKey` for Bedrock. In the order tried:
 *
 * 1. A JSON object with `access_key_id`, `secret_access_key` and maybe `session_token`, or as the AWS CLI prints it
 *    (`AccessKeyId` …, with or without `Credentials` around it; `Version` is ignored).
 * 2. `ACCESS:SECRET[:REGION[:SESSION_TOKEN]]`; REGION may be empty.
 * 3. A Bedrock API key: anything without a colon.
 *
 * Blanks around the whole and around each part are cut off. The environment is never read.
 *
 * @throws ConfigurationError, code `invalid_credential`, or `expired_credential` for an `Expiration` in the past. It says
 * what is wrong and how to write it, and repeats no part of it.
 */
export function parseBedrockCredential(
	apiKey: string,
	options: ParseBedrockCredentialOptions = {},
): BedrockCredential {
	const { secret, region } = readCredentialText(apiKey, options.now ?? Date.now());
	return new BedrockCredential(secret, region);
}

/**
 * The secret itself, for what signs and sends.
 *
 * @throws ConfigurationError for what `parseBedrockCredential` did not return, a copy of it included.
 */
export function revealCredential(credential: BedrockCredential): BedrockSecret {
	const secret = secrets.get(credential);
	if (secret === undefined)
		throw new ConfigurationError(
			"The credential must be what `parseBedrockCredential` returned, not a copy.",
			{
				code: "invalid_credential",
			},
		);
	return secret;
}
