import { ConfigurationError } from "@stemma/core/errors";
import type { StemmaClient } from "../client";
import { createRedirectError, isRedirect } from "../errors/connection-error";
import { isCrossOriginRedirect } from "../http/response";

/**
 * A valid access token, for clients of other protocols that take one as their API key. It is the one that this client
 * uses itself: fetched when first needed, shared, and renewed before it ends (15 minutes). Ask for it before each call.
 *
 * @throws ConfigurationError for a client with a client key, which needs no token: it is the API key itself.
 */
export type AccessToken = () => Promise<string>;

/**
 * `fetch` with the client's credential in `authorization`, whatever was there before: for clients of OpenAI's format
 * that take a `fetch`. A token is renewed ahead of its end; an answer 401 is tried once more with a new one, unless the
 * body is a stream, which cannot be sent twice.
 *
 * @throws ConfigurationError for an address that is not below the client's `baseUrl`: nobody else gets the credential.
 * @throws ConnectionError `redirected` for a redirect: it is never followed, as the body would go elsewhere.
 */
export type AuthorizedFetch = typeof globalThis.fetch;

export interface AuthorizedFetchOptions {
	/** Function that sends the requests. Default: the platform's `fetch`, looked up at each call. */
	readonly fetch?: typeof globalThis.fetch | undefined;
}

const BEARER_PREFIX = "Bearer ";

/** Access tokens of a client that was created with `clientId` and `clientSecret`. */
export function accessToken(client: StemmaClient): AccessToken {
	return async () => {
		if (!client.credential.isAccessToken)
			throw new ConfigurationError("A client with `clientKey` has no access token.", {
				hint: "Use the client key itself as the API key, or create the client with `clientId` and `clientSecret`.",
			});
		return (await client.credential.authorization())?.slice(BEARER_PREFIX.length) ?? "";
	};
}

/** A `fetch` that authorizes requests to the service of a client. */
export function authorizedFetch(
	client: StemmaClient,
	{ fetch }: AuthorizedFetchOptions = {},
): AuthorizedFetch {
	return async (input, init) => {
		assertServiceUrl(client, input);
		const send = async (target: typeof input, authorization: string | undefined): Promise<Response> => {
			const headers = toHeaders(target, init, authorization);
			const response = await (fetch ?? globalThis.fetch)(target, { ...init, headers, redirect: "manual" });
			if (isRedirect(response) || isCrossOriginRedirect(response, toHref(target)))
				throw createRedirectError(client.baseUrl);
			return response;
		};
		const authorization = await client.credential.authorization();
		const retryInput = isRequestInput(input) ? input.clone() : input;
		const response = await send(input, authorization);
		if (response.ok || isStream(init?.body)) return response;
		const { signal } = new AbortController();
		if (!(await client.credential.renew({ response, authorization, attempt: 1, signal }))) return response;
		// Nobody reads it: the connection is free for the next.
		response.body?.cancel().catch(() => undefined);
		return send(retryInput, await client.credential.authorization());
	};
}

type Input = Parameters<AuthorizedFetch>[0];

const isRequestInput = (input: Input): input is Request => typeof input === "object" && "clone" in input;

const toHref = (input: Input): string => new URL(isRequestInput(input) ? input.url : input).href;

const isStream = (body: unknown): boolean => typeof body === "object" && body !== null && "getReader" in body;

function toHeaders(input: Input, init: RequestInit | undefined, authorization: string | undefined): Headers {
	const headers = new Headers(init?.headers ?? (isRequestInput(input) ? input.headers : undefined));
	if (authorization !== undefined) headers.set("authorization", authorization);
	return headers;
}

/** A path may lead back up: only what is left of it after that counts. */
function assertServiceUrl({ baseUrl }: StemmaClient, input: Input): void {
	const href = toHref(input);
	if (href.startsWith(`${new URL(baseUrl).href.replace(/\/$/, "")}/`)) return;
	throw new ConfigurationError("This `fetch` sends requests only to the service of its client.", {
		hint: `Set the base URL of the library that calls it to \`${baseUrl}/v1\`.`,
	});
}
