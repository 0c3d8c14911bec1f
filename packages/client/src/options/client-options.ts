import { ConfigurationError } from "@stemma/core/errors";
import { omitUndefined } from "@stemma/core/internal";
import { type Fetch, publicRuntime, readEnvironment } from "../http/platform";
import { PUBLIC_API_ADDRESS } from "../public-api-address";
import type { Timeouts } from "./call-options";

/** Options of `createClient` and `new Stemma`: exactly one credential, and how to reach the service. */
export type ClientOptions = (ClientSecretCredential | ClientKeyCredential | SessionCredential) &
	ConnectionOptions;

/** Credential for servers, with the scopes that its client was given. */
export interface ClientSecretCredential {
	/** `cl_…` */
	readonly clientId: string;
	readonly clientSecret: string;
	readonly clientKey?: undefined;
	readonly session?: undefined;
	/** Lets the secret be used in browsers and React Native, where whoever runs the page can read it. Default false. */
	readonly dangerouslyAllowBrowser?: boolean;
}

/** Credential for browsers and phones: it may ask, search and run agents, within its own limits. */
export interface ClientKeyCredential {
	/** `ck_<id>_<secret>` */
	readonly clientKey: string;
	readonly clientId?: undefined;
	readonly clientSecret?: undefined;
	readonly session?: undefined;
	readonly dangerouslyAllowBrowser?: undefined;
}

/**
 * Credential for pages that the service itself serves: the cookie of the person who is signed in, which the browser sends
 * and no script can read. `baseUrl` must be the origin of the page.
 */
export interface SessionCredential {
	readonly session: true;
	readonly clientId?: undefined;
	readonly clientSecret?: undefined;
	readonly clientKey?: undefined;
	readonly dangerouslyAllowBrowser?: undefined;
}

/** Options to reach a service or a runtime. */
export interface ConnectionOptions {
	/**
	 * `https://stemma.example`, with a path if it has one. Default: `STEMMA_BASE_URL`, where there is an environment; else
	 * the service that the build was published for, if it was for one.
	 */
	readonly baseUrl?: string | undefined;
	/** Default: the platform's, looked up at each call. */
	readonly fetch?: Fetch | undefined;
	readonly timeouts?: Partial<Timeouts> | undefined;
	/** Tries after the first that failed on the network or with 408, 429, 502, 503 or 504. Default 2. */
	readonly maxRetries?: number | undefined;
	/** The first retry waits up to so long, each next up to twice as long. Default 500. */
	readonly retryDelayMs?: number | undefined;
	/** Sent with each request. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** Number of services and runtimes that a request passed through before this one; sent as `stemma-depth`. */
	readonly depth?: number | undefined;
	/** Receives one entry for each try: method, path, status, time; never a header or a body. `console` is one. */
	readonly logger?: Logger | undefined;
}

export interface Logger {
	debug(message: string): void;
	warn(message: string): void;
}

/** Options with their defaults. */
export interface ConnectionSettings {
	readonly baseUrl: string;
	readonly fetch: Fetch | undefined;
	readonly timeouts: Timeouts;
	readonly maxRetries: number;
	readonly retryDelayMs: number;
	readonly headers: Readonly<Record<string, string>>;
	/** Random secret of the visitor, sent as `stemma-visitor` with each idempotency key and used for nothing else. */
	readonly visitor?: string;
	readonly logger: Logger | undefined;
}

const DEFAULT_TIMEOUTS: Timeouts = {
	headersTimeoutMs: 60_000,
	idleTimeoutMs: 45_000,
	eventTimeoutMs: 600_000,
};

/** @throws ConfigurationError naming what is wrong. */
export function resolveConnection(options: ConnectionOptions): ConnectionSettings {
	const { maxRetries = 2, retryDelayMs = 500, depth = 0, fetch, logger } = options;
	assertNumbers({ maxRetries, retryDelayMs, depth });
	return {
		baseUrl: resolveBaseUrl(options.baseUrl),
		fetch,
		timeouts: mergeTimeouts(DEFAULT_TIMEOUTS, options.timeouts),
		maxRetries,
		retryDelayMs,
		headers: mergeHeaders(options.headers, { "stemma-depth": options.depth }),
		logger,
	};
}

/** @throws ConfigurationError for a deadline that is no number of milliseconds. */
export function mergeTimeouts(base: Timeouts, overrides: Partial<Timeouts> = {}): Timeouts {
	const given = omitUndefined(overrides);
	assertNumbers(given, "timeouts.", 1);
	return { ...base, ...given };
}

type Headers = Readonly<Record<string, string | number | undefined>>;

/**
 * Joins headers by their lower-case names; later ones win, and what is `undefined` is none.
 *
 * @throws ConfigurationError for a value that no header can have: `fetch` would quote it in its own error, secret or not.
 */
export function mergeHeaders(...all: readonly (Headers | undefined)[]): Record<string, string> {
	const merged: Record<string, string> = {};
	for (const headers of all)
		for (const [name, value] of Object.entries(omitUndefined(headers ?? {}))) {
			if (!/^[\w!#$%&'*+.^`|~-]+:[\t\x20-\x7e\x80-\xff]*$/.test(`${name}:${value}`))
				rejectOption(
					`headers.${name}`,
					"has a character that no header can have",
					"Look for a line break in it.",
				);
			merged[name.toLowerCase()] = `${value}`;
		}
	return merged;
}

function assertNumbers(numbers: object, prefix = "", min = 0): void {
	for (const [name, value] of Object.entries(numbers))
		if (typeof value !== "number" || !(value >= min))
			rejectOption(`${prefix}${name}`, `must be a number of at least ${min}`);
}

function resolveBaseUrl(option: string | undefined): string {
	const url = option ?? (readEnvironment("STEMMA_BASE_URL") || PUBLIC_API_ADDRESS);
	if (!url) rejectOption("baseUrl", "is missing", BASE_URL_HINT);
	if (/^https?:\/\/[^/?#@\s]+(\/[^?#@\s]*)?$/i.test(url)) return url.replace(/\/+$/, "");
	// The value is not quoted: a password in it would be, too.
	rejectOption(option === undefined ? "STEMMA_BASE_URL" : "baseUrl", "is not a plain address", BASE_URL_HINT);
}

const BASE_URL_HINT =
	"Pass an address like https://stemma.example, without user name, query or fragment; or set STEMMA_BASE_URL in the environment.";

/** @throws ConfigurationError where others could read the secret, unless the caller wants it so. */
export function assertSecretNotExposed(field: string, isAllowed: boolean | undefined): void {
	const runtime = publicRuntime();
	if (runtime !== undefined && isAllowed !== true)
		rejectOption(
			field,
			`was given in ${runtime}, where its users can read the secret`,
			"Keep it on a server, or use a client key there. If no one else can read it, set `dangerouslyAllowBrowser: true`.",
		);
}

/** @throws ConfigurationError that names the option. */
export function rejectOption(option: string, problem: string, hint?: string): never {
	throw new ConfigurationError(`\`${option}\` ${problem}.`, { option, hint });
}
