import { ConfigurationError } from "@stemma/core/errors";
import type { FetchLike } from "../http/send";
import { parseBaseUrl } from "./base-url";

export type { FetchLike };

/** Where a model is, and how it is asked. */
export interface OpenAiCompatibleOptions {
	/**
	 * `http` or `https`, up to and without `/chat/completions`: `https://api.openai.com/v1`. Neither user info, query nor
	 * fragment.
	 */
	readonly baseUrl: string;
	/** As the endpoint names it. */
	readonly model: string;
	/** Sent as `Authorization: Bearer`. Left out for endpoints without keys, as local servers are. */
	readonly apiKey?: string | undefined;
	/** Default: `fetch` of the platform. Redirects are not followed. */
	readonly fetch?: FetchLike | undefined;
	/** Sent with every request, over the usual ones: `{ "api-key": … }` for some vendors. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** In milliseconds; `Infinity` for none. */
	readonly timeouts?: {
		/** Until the answer begins; not streamed, most begin when they are complete. Default 60,000. */
		readonly responseMs?: number | undefined;
		/** Between the parts of an answer; keep-alives are none. Default 60,000. */
		readonly silenceMs?: number | undefined;
	};
	/** How often a failed call is tried again, before any of an answer has come. Default 2. */
	readonly maxRetries?: number | undefined;
}

/** The options, checked and complete. */
export interface Settings {
	readonly url: string;
	readonly vendorHost: string;
	readonly model: string;
	readonly fetch: FetchLike | undefined;
	readonly headers: Readonly<Record<string, string>>;
	readonly responseMs: number;
	readonly silenceMs: number;
	readonly maxRetries: number;
}

const DEFAULT_TIMEOUT_MS = 60_000;

/** @throws ConfigurationError that names the option, without a word of a key. */
export function readOptions(options: OpenAiCompatibleOptions): Settings {
	const { baseUrl, host } = parseBaseUrl(options.baseUrl);
	const { model, fetch, timeouts = {}, maxRetries = 2 } = options;
	if (typeof model !== "string" || model.trim() === "") refuse("model", "the name of a model");
	if (fetch !== undefined && typeof fetch !== "function") refuse("fetch", "a function");
	if (!Number.isInteger(maxRetries) || maxRetries < 0) refuse("maxRetries", "a whole number, 0 or more");
	return {
		url: `${baseUrl}/chat/completions`,
		vendorHost: host,
		model,
		fetch,
		headers: { ...readKey(options.apiKey), ...readHeaders(options.headers) },
		responseMs: readTimeout(timeouts.responseMs, "timeouts.responseMs"),
		silenceMs: readTimeout(timeouts.silenceMs, "timeouts.silenceMs"),
		maxRetries,
	};
}

function refuse(option: string, expected: string): never {
	throw new ConfigurationError(`\`${option}\` must be ${expected}.`);
}

/** Checked here, for `fetch` would repeat a key that it cannot send in its error. */
function readKey(apiKey: string | undefined): Record<string, string> {
	if (apiKey === undefined) return {};
	const key = typeof apiKey === "string" ? apiKey.trim() : "";
	if (key === "") refuse("apiKey", "a key; leave it out for an endpoint without keys");
	if (!/^[\x21-\x7e]+$/.test(key))
		refuse("apiKey", "a key as it was issued: ASCII characters without spaces");
	return { authorization: `Bearer ${key}` };
}

function readHeaders(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => {
			if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) refuse("headers", "an object of header names and values");
			if (typeof value !== "string" || !/^[\t\x20-\x7e]*$/.test(value))
				refuse(`headers["${name}"]`, "ASCII text of one line");
			return [name.toLowerCase(), value];
		}),
	);
}

function readTimeout(milliseconds: number = DEFAULT_TIMEOUT_MS, option: string): number {
	if (typeof milliseconds !== "number" || !(milliseconds > 0))
		refuse(option, "a number of milliseconds above 0");
	return milliseconds;
}
