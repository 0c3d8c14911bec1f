import type { FetchResponse } from "../http/platform";

/**
 * Credential that authorises requests. Secrets stay in closures, so that printing or logging a credential shows none.
 */
export interface Credential {
	/** The value of the `authorization` header; `undefined` where none is needed. */
	authorization(signal?: AbortSignal): Promise<string | undefined>;
	/** Looks at an answer that is no success; tells whether to send the request again, with another value. */
	renew(errorResponse: ErrorResponse): Promise<boolean>;
	/** The value is an access token, which ends and is renewed. Default false. */
	readonly isAccessToken?: true;
	/** Takes secrets out of a text that comes from elsewhere. */
	redact(text: string): string;
}

/** An answer that is no success. */
export interface ErrorResponse {
	readonly response: FetchResponse;
	/** Value of the `authorization` header that the request was sent with. */
	readonly authorization: string | undefined;
	/** Number of times that the request has been sent so far. */
	readonly attempt: number;
	/** Signal of the call. */
	readonly signal: AbortSignal;
}

/** Checks whether a value can be sent as a credential in a header; `fetch` quotes a header that it refuses. */
export const isVisibleAscii = (value: unknown): value is string =>
	typeof value === "string" && /^[\x21-\x7e]+$/.test(value);

/** A credential that is sent as it is: a client key, a runtime's token, or none. */
export function fixedCredential(secret: string | undefined): Credential {
	return {
		authorization: async () => (secret === undefined ? undefined : `Bearer ${secret}`),
		renew: async () => false,
		redact: (text) => redact(text, [secret]),
	};
}

/** Shorter ones are no secrets, and would take words apart. */
const MIN_SECRET_LENGTH = 6;

/** Redacts every text in a JSON value, however the wire had it escaped. */
export const redactJson = <Json extends object>(json: Json, redactText: (text: string) => string): Json =>
	JSON.parse(JSON.stringify(json), (_, value) => (typeof value === "string" ? redactText(value) : value));

export const redact = (text: string, secrets: readonly (string | undefined)[]): string =>
	secrets.reduce<string>(
		(redacted, secret = "") =>
			secret.length < MIN_SECRET_LENGTH ? redacted : redacted.split(secret).join("[redacted]"),
		text,
	);
