import type { JsonObject } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import { fixedCredential, redact } from "../../auth/credential";
import type { ServiceRequest } from "../../client";
import { ConnectionError, TimeoutError } from "../../errors/errors";
import { parseJson } from "../../errors/read-api-error";
import type { ServerConnection } from "../../http/connect-server";
import { readBoundedBody } from "../../http/read-bounded-body";
import { createTransport } from "../../http/transport";
import { resolveConnection } from "../../options/client-options";
import type { HttpAddress } from "./http-address";
import { McpOAuthError } from "./oauth-error";

/** No metadata and no answer with tokens is longer. */
const MAX_BODY_CHARACTERS = 2 ** 20;

export interface OAuthResponse {
	readonly status: number;
	/** `undefined` where the body is no JSON object. */
	readonly body: JsonObject | undefined;
}

/** Requests to authorization servers and for metadata. Redirects are not followed; no header of the MCP client goes along. */
export class OAuthHttp {
	readonly #connection: Omit<ServerConnection, "url" | "token">;

	/** @param connection - of the MCP client: its `fetch`, deadlines and retries are used. */
	constructor(connection: Omit<ServerConnection, "url" | "token">) {
		this.#connection = connection;
	}

	/** @returns `undefined` where there is none: any 4xx, a redirect, or a body that is no JSON object. */
	async findMetadata(address: HttpAddress, signal: AbortSignal): Promise<JsonObject | undefined> {
		try {
			const { status, body } = await this.#send(address, { method: "GET" }, signal);
			return status === 200 ? body : undefined;
		} catch (error) {
			if (McpOAuthError.is(error) && isRedirect(error.cause)) return undefined;
			throw error;
		}
	}

	/** @param secrets - that are sent: they are in no error, whatever comes back. */
	post(
		address: HttpAddress,
		body: Pick<ServiceRequest, "json" | "fields" | "headers">,
		signal: AbortSignal,
		secrets?: readonly (string | undefined)[],
	): Promise<OAuthResponse> {
		return this.#send(address, { method: "POST", retry: "if-not-started", ...body }, signal, secrets);
	}

	async #send(
		{ href, origin }: HttpAddress,
		request: Omit<ServiceRequest, "path">,
		signal: AbortSignal,
		secrets: readonly (string | undefined)[] = [],
	): Promise<OAuthResponse> {
		const { fetch, timeouts, maxRetries, retryDelayMs } = this.#connection;
		try {
			const settings = resolveConnection({ baseUrl: origin, fetch, timeouts, maxRetries, retryDelayMs });
			const transport = createTransport(
				{ ...settings, baseUrl: href },
				{ ...fixedCredential(undefined), redact: (text) => redact(text, secrets) },
			);
			const response = await transport.open({
				...request,
				path: "",
				acceptStatus: (status) => status < 500 && status !== 429,
				options: { signal },
			});
			const body = parseJson((await readBoundedBody(response, MAX_BODY_CHARACTERS)) ?? "");
			return { status: response.status, body: isJsonObject(body) ? body : undefined };
		} catch (error) {
			if (signal.aborted) throw error;
			throw toOAuthError(error, origin);
		}
	}
}

const isRedirect = (error: unknown): boolean => ConnectionError.is(error) && error.code === "redirected";

const toOAuthError = (error: unknown, origin: string): McpOAuthError =>
	new McpOAuthError(
		TimeoutError.is(error)
			? `${origin} did not answer in time.`
			: isRedirect(error)
				? `${origin} answers with a redirect, which is not followed.`
				: `No usable answer came from ${origin}.`,
		{
			code: "connection_failed",
			hint: "The MCP server names it for authorization. In a browser, it must allow this page's origin (CORS).",
			cause: error,
		},
	);
