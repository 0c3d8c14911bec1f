import { ConfigurationError } from "@stemma/core/errors";
import type { Timeouts } from "./call-options";
import { exposedPlace, type Fetch, readEnvironment } from "./platform";

/** Options of `createClient` and `new Stemma`: exactly one of the two credentials, and how to reach the service. */
export type ClientOptions = (ServerCredential | ClientKeyCredential) & ConnectionOptions;

/** For servers: it may do what its client was given scopes for. */
export interface ServerCredential {
	/** `cl_…` */
	readonly clientId: string;
	readonly clientSecret: string;
	readonly clientKey?: undefined;
	/** Lets the secret be used in browsers and React Native, where whoever runs the page can read it. Default false. */
	readonly dangerouslyAllowBrowser?: boolean;
}

/** For browsers and phones: it may ask, search and run agents, within its own limits. */
export interface ClientKeyCredential {
	/** `ck_<id>_<secret>` */
	readonly clientKey: string;
	readonly clientId?: undefined;
	readonly clientSecret?: undefined;
}

/** How to reach a service or a runtime. */
export interface ConnectionOptions {
	/** `https://stemma.example`, with a path if it has one. Default: `STEMMA_BASE_URL`, where there is an environment. */
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
	/** How many services and runtimes a request came through before this one: goes out as `stemma-depth`. */
	readonly depth?: number | undefined;
	/** Is told of each try: method, path, status, time; never a header or a body. `console` is one. */
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
	readonly logger: Logger | undefined;
}

const DEFAULT_TIMEOUTS: Timeouts = { responseMs: 60_000, silenceMs: 45_000 };

/** @throws ConfigurationError naming what is wrong. */
export function resolveConnection(options: ConnectionOptions): ConnectionSettings {
	const { maxRetries = 2, retryDelayMs = 500, headers = {}, depth, fetch, logger } = options;
	demandNumber("maxRetries", maxRetries);
	demandNumber("retryDelayMs", retryDelayMs);
	if (depth !== undefined) demandNumber("depth", depth);
	return {
		baseUrl: resolveBaseUrl(options.baseUrl),
		fetch,
		timeouts: mergeTimeouts(DEFAULT_TIMEOUTS, options.timeouts),
		maxRetries,
		retryDelayMs,
		headers: mergeHeaders(headers, depth === undefined ? {} : { "stemma-depth": String(depth) }),
		logger,
	};
}

/** @throws ConfigurationError for a deadline that is no number of milliseconds. */
export function mergeTimeouts(base: Timeouts, over: Partial<Timeouts> | undefined): Timeouts {
	const totalMs = over?.totalMs ?? base.totalMs;
	const merged: Timeouts = {
		responseMs: over?.responseMs ?? base.responseMs,
		silenceMs: over?.silenceMs ?? base.silenceMs,
		...(totalMs === undefined ? {} : { totalMs }),
	};
	for (const [name, value] of Object.entries(merged)) demandNumber(`timeouts.${name}`, value, 1);
	return merged;
}

/**
 * Joins headers by their lower-case names; later ones win.
 *
 * @throws ConfigurationError for a value that no header can have: `fetch` would quote it in its own error, secret or not.
 */
export function mergeHeaders(
	...all: readonly (Readonly<Record<string, string>> | undefined)[]
): Record<string, string> {
	const merged: Record<string, string> = {};
	for (const headers of all)
		for (const [name, value] of Object.entries(headers ?? {})) {
			if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value) || !/^[\w!#$%&'*+.^`|~-]+$/.test(name))
				throw new ConfigurationError(`The header \`${name}\` has a character that headers cannot have.`, {
					hint: "Look for a line break in `headers`.",
				});
			merged[name.toLowerCase()] = value;
		}
	return merged;
}

function demandNumber(name: string, value: unknown, least = 0): void {
	if (typeof value !== "number" || !(value >= least))
		throw new ConfigurationError(`\`${name}\` must be a number of at least ${least}.`);
}

function resolveBaseUrl(option: string | undefined): string {
	const name = option === undefined ? "STEMMA_BASE_URL" : "baseUrl";
	const url = option ?? readEnvironment("STEMMA_BASE_URL") ?? "";
	if (url === "")
		throw new ConfigurationError("`baseUrl` is missing: the address of the service.", {
			hint: 'Pass `baseUrl: "https://…"`, or set STEMMA_BASE_URL in the environment.',
		});
	// The value is not quoted: a password in it would be, too.
	if (!/^https?:\/\/[^/?#@\s]+(\/[^?#@\s]*)?$/i.test(url))
		throw new ConfigurationError(
			`\`${name}\` is not a plain address: http or https, a host, perhaps a path.`,
			{
				hint: "It has no user name, query or fragment: https://stemma.example",
			},
		);
	return url.replace(/\/+$/, "");
}

/** @throws ConfigurationError where others could read the secret, unless the caller wants it so. */
export function refuseExposedSecret(field: string, isAllowed: boolean | undefined): void {
	const place = exposedPlace();
	if (place === undefined || isAllowed === true) return;
	throw new ConfigurationError(
		`\`${field}\` was given in ${place}, where whoever uses it can read the secret.`,
		{
			hint: "Use a client key there: `clientKey`. If nobody else can get at it, set `dangerouslyAllowBrowser: true`.",
		},
	);
}
