import { ConfigurationError, type StemmaErrorOptions } from "@stemma/core/errors";
import { withOptions } from "./option-texts";

/** The part of `fetch` that is used. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

/** Options for calls to an endpoint, whatever its format. */
export interface CallOptions {
	/** Default: `fetch` of the platform. Redirects are not followed. */
	readonly fetch?: FetchLike | undefined;
	/** Sent with every request, over the usual ones: `{ "api-key": … }` for some vendors. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** Timeouts in milliseconds; `Infinity` for none. */
	readonly timeouts?:
		| {
				/**
				 * Maximum wait until the answer begins, in milliseconds. Most answers that are not streamed begin when
				 * they are complete. Default 60,000.
				 */
				readonly headersTimeoutMs?: number | undefined;
				/**
				 * Maximum wait between the parts of an answer, in milliseconds; keep-alives do not count as parts.
				 * Default 60,000.
				 */
				readonly idleTimeoutMs?: number | undefined;
		  }
		| undefined;
	/**
	 * Maximum number of retries of a failed call, before any of an answer has come: after network errors and statuses
	 * 429, 500, 502 and 503. Default 2. A call whose connection broke may be billed twice.
	 */
	readonly maxRetries?: number | undefined;
}

/** Options of a call, checked and complete. */
export interface CallSettings {
	/** Default: `fetch` of the platform, looked up at each call. */
	readonly fetch: FetchLike | undefined;
	/** Names in lower case. */
	readonly headers: Readonly<Record<string, string>>;
	readonly headersTimeoutMs: number;
	readonly idleTimeoutMs: number;
	readonly maxRetries: number;
}

const DEFAULT_TIMEOUT_MS = 60_000;

/** @throws ConfigurationError that names the option, without a word of a key. */
export function readCallOptions({
	fetch,
	headers,
	timeouts = {},
	maxRetries = 2,
}: CallOptions): CallSettings {
	if (fetch !== undefined && typeof fetch !== "function") rejectOption("fetch", "a function");
	return {
		fetch,
		headers: readHeaders(headers),
		headersTimeoutMs: readTimeout(timeouts.headersTimeoutMs, "timeouts.headersTimeoutMs"),
		idleTimeoutMs: readTimeout(timeouts.idleTimeoutMs, "timeouts.idleTimeoutMs"),
		maxRetries: readCount(maxRetries, "maxRetries", 0),
	};
}

/** @throws ConfigurationError with the option in its field `option`. */
export function rejectOption(option: string, expected: string, options?: Partial<StemmaErrorOptions>): never {
	throwOptionError(option, `must be ${expected}`, options);
}

/**
 * @param problem - what is wrong with the option; other options in it, and in the hint, are in braces: `{baseUrl}`.
 * @throws ConfigurationError with the option in its field `option`.
 */
export function throwOptionError(
	option: string,
	problem: string,
	{ hint, ...options }: Partial<StemmaErrorOptions> = {},
): never {
	throw withOptions(
		{ message: `{${option}} ${problem}.`, hint },
		(message, advice) => new ConfigurationError(message, { ...options, hint: advice, option }),
	);
}

/** @throws ConfigurationError unless it is a whole number, and not below `min`. */
export function readCount(count: number, option: string, min: number): number {
	if (!Number.isInteger(count) || count < min) rejectOption(option, `a whole number, ${min} or more`);
	return count;
}

/** Names are kept in caches, and shown. */
const MAX_MODEL_NAME_CHARACTERS = 256;

/** @throws ConfigurationError unless it is text that says something, and not at length. */
export function readModelName(model: string): string {
	if (typeof model !== "string" || model.trim() === "" || model.length > MAX_MODEL_NAME_CHARACTERS)
		rejectOption("model", `the name of a model, at most ${MAX_MODEL_NAME_CHARACTERS} characters`);
	return model;
}

/**
 * The header that carries a key; none without one. Checked here, for `fetch` would repeat a key that it cannot send in
 * its error.
 */
export function toBearer(apiKey: string | undefined): { readonly authorization?: string } {
	if (apiKey === undefined) return {};
	const key = typeof apiKey === "string" ? apiKey.trim() : "";
	if (!/^[\x21-\x7e]+$/.test(key)) rejectOption("apiKey", "ASCII without spaces, as issued, or left out");
	return { authorization: `Bearer ${key}` };
}

function readHeaders(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => {
			if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
				rejectOption("headers", "an object of header names and values");
			if (typeof value !== "string" || !/^[\t\x20-\x7e]*$/.test(value))
				rejectOption(`headers["${name}"]`, "ASCII text of one line");
			return [name.toLowerCase(), value];
		}),
	);
}

function readTimeout(milliseconds: number = DEFAULT_TIMEOUT_MS, option: string): number {
	if (typeof milliseconds !== "number" || !(milliseconds > 0))
		rejectOption(option, "a number of milliseconds above 0");
	return milliseconds;
}
