import { type Credential, redact } from "../auth/credential";
import { readCredential } from "../auth/resolve-credential";
import type { StemmaClient } from "../client";
import type { Timeouts } from "../options/call-options";
import { type Logger, rejectOption, resolveConnection } from "../options/client-options";
import type { Fetch } from "./platform";
import { createTransport } from "./transport";

/** Options to reach a third-party server: MCP, A2A. */
export interface ServerConnection {
	/** `https://mcp.example/mcp`: where requests go, with its query if it has one. */
	readonly url: string;
	/**
	 * Goes out as a bearer token. A function is asked before each request, and once more after a 401: it gives the token as
	 * it is now, as an OAuth library keeps it.
	 */
	readonly token?: string | (() => string | Promise<string>) | undefined;
	/** Sent with each request, and taken out of every error. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** Default: the platform's, looked up at each call. */
	readonly fetch?: Fetch | undefined;
	readonly timeouts?: Partial<Timeouts> | undefined;
	/** Tries after the first, of what does no harm twice. Default 2. */
	readonly maxRetries?: number | undefined;
	/** The first retry waits up to so long, each next up to twice as long. Default 500. */
	readonly retryDelayMs?: number | undefined;
	/** Number of services and runtimes that a request passed through before this one; sent as `stemma-depth`. */
	readonly depth?: number | undefined;
	/** Receives one entry for each try: method, path, status, time; never a header or a body. */
	readonly logger?: Logger | undefined;
}

/** Gets credentials for servers by itself, such as OAuth. */
export interface ServerAuth {
	/** Called once for each client. The credential is for this server alone. */
	forServer(connection: ServerConnection): Credential;
}

/**
 * Creates the transport to a third-party server, which gets no credential of a service. Paths are added to `url`
 * unchanged; the empty path is `url` itself.
 *
 * @param auth - instead of `token`.
 * @throws ConfigurationError for invalid options: it names them, and repeats no value.
 */
export function connectServer({ url, token, ...options }: ServerConnection, auth?: ServerAuth): StemmaClient {
	const [, origin, query = ""] = /^(https?:\/\/[^/?#@\s]+)(?:\/[^?#\s]*)?(\?[^#\s]*)?$/i.exec(url) ?? [];
	if (origin === undefined)
		rejectOption(
			"url",
			"is not an address",
			"Pass one like https://mcp.example/mcp, without a user name or a fragment.",
		);
	const settings = resolveConnection({ ...options, baseUrl: origin });
	const secrets = [...Object.values(settings.headers), ...query.split(/[?&=]/)];
	const credential = auth?.forServer({ ...options, url }) ?? createTokenCredential(token);
	const redactText = (text: string): string => redact(credential.redact(text), secrets);
	return createTransport({ ...settings, baseUrl: url }, { ...credential, redact: redactText });
}

/** Answers may come back to a request that was sent with a token before the last one. */
const MAX_REMEMBERED_TOKENS = 4;

/** Credential of a token as it is given, or as a function gives it. */
export function createTokenCredential(token: ServerConnection["token"]): Credential {
	let tokens = typeof token === "string" ? [readCredential("token", token)] : [];
	return {
		async authorization() {
			if (typeof token === "function") {
				const current = readCredential("token", await token());
				tokens = [current, ...tokens.filter((one) => one !== current)].slice(0, MAX_REMEMBERED_TOKENS);
			}
			return tokens[0] && `Bearer ${tokens[0]}`;
		},
		renew: async ({ response, attempt }) =>
			typeof token === "function" && response.status === 401 && attempt === 1,
		redact: (text) => redact(text, tokens),
	};
}
