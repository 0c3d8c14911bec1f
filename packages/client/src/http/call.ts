import { ConfigurationError } from "@stemma/core/errors";
import { type Credential, fixedCredential, redact } from "../auth/credential";
import type { ServiceRequest } from "../client";
import { createRedirectError, isRedirect, toConnectionError } from "../errors/connection-error";
import { readApiError } from "../errors/read-api-error";
import { type ConnectionSettings, mergeTimeouts } from "../options/client-options";
import { CallTimeout } from "./call-timeout";
import {
	canStreamBodies,
	type Fetch,
	type FetchInit,
	type FetchResponse,
	platformFetch,
	platformXmlHttpRequest,
} from "./platform";
import { discardBody, isCrossOriginRedirect, readRequestId, readText } from "./response";
import { isRetryable, retryDelay } from "./retry";
import { toFetchInit, toUrl } from "./to-fetch-init";

/** Reads a response as a part of each try, or lets it be read later: whoever reads the body ends the call timeout. */
export type ResponseReader<Result> = (
	response: FetchResponse,
	callTimeout: CallTimeout,
	redactText: (text: string) => string,
) => Result | Promise<Result>;

/** One call under way, over all its tries. */
export class Call {
	readonly #settings: ConnectionSettings;
	readonly #credential: Credential;
	readonly #request: ServiceRequest;
	readonly #url: string;
	/** Options for `fetch`, the same for each try, idempotency key included; the authorization is added to them. */
	readonly #init: FetchInit;
	readonly #timeout: CallTimeout;
	/** Takes out of a text what the call is authorised with. */
	readonly #redact: (text: string) => string;
	/** True where the transport may retry. What the credential needs is retried by the credential itself. */
	#canRetry = true;

	/** @throws ConfigurationError for a request that cannot be sent. */
	constructor(settings: ConnectionSettings, credential: Credential, request: ServiceRequest) {
		const { timeouts, signal } = request.options ?? {};
		const url = toUrl(settings.baseUrl, request);
		const init = toFetchInit(request, settings);
		const tokens = [init.headers["stemma-run-token"], init.headers["stemma-answer-token"]];
		const redactText = (text: string): string => redact(credential.redact(text), tokens);
		this.#settings = settings;
		this.#credential = request.anonymous ? fixedCredential(undefined) : credential;
		this.#request = request;
		this.#url = url;
		this.#redact = redactText;
		this.#timeout = new CallTimeout(mergeTimeouts(settings.timeouts, timeouts), signal, (error) =>
			toConnectionError(error, url, redactText),
		);
		this.#init = { ...init, signal: this.#timeout.signal };
	}

	/** Sends the request until a try succeeds, or no other one may help. */
	async send<Result>(read: ResponseReader<Result>): Promise<Result> {
		const { logger, maxRetries, retryDelayMs } = this.#settings;
		const { method, path, retry: condition } = this.#request;
		try {
			for (let retry = 1; ; retry++)
				try {
					return await read(await this.#sendAuthorized(), this.#timeout, this.#redact);
				} catch (error) {
					if (!this.#canRetry || retry > maxRetries || !isRetryable(error, condition)) throw error;
					const delay = retryDelay(retry, retryDelayMs, error);
					logger?.warn(`${method} ${path}: retry ${retry} in ${Math.round(delay)} ms`);
					await this.#timeout.sleep(delay);
					if (!this.#renewBody()) throw error;
				}
		} catch (error) {
			this.#timeout.end();
			throw error;
		}
	}

	/**
	 * Sends a request, and again with a new credential where there is one: tokens become invalid early when a client is
	 * changed.
	 */
	async #sendAuthorized(): Promise<FetchResponse> {
		const { signal } = this.#timeout;
		for (let attempt = 1; ; attempt++) {
			const authorization = await this.#awaitCredential(
				this.#credential.authorization(signal),
				"headersTimeoutMs",
			);
			const response = await this.#sendOnce(authorization);
			if (response.ok) return this.#getSuccess(response);
			// People may have to log in first: no deadline of an answer ends that.
			const renewed = this.#credential.renew({ response, authorization, attempt, signal });
			if (!(await this.#awaitCredential(renewed)) || !this.#renewBody()) return this.#getSuccess(response);
			discardBody(response);
		}
	}

	/** Waits for work of the credential, which does its own retries. */
	async #awaitCredential<Result>(work: Promise<Result>, timeout?: "headersTimeoutMs"): Promise<Result> {
		this.#canRetry = false;
		const result = await this.#timeout.wait(work, timeout);
		this.#canRetry = true;
		return result;
	}

	async #sendOnce(authorization: string | undefined): Promise<FetchResponse> {
		const { fetch, logger } = this.#settings;
		const { method, path, onSend } = this.#request;
		const { headers } = this.#init;
		const init = { ...this.#init, headers: authorization ? { ...headers, authorization } : headers };
		const startedAt = Date.now();
		let outcome = "no answer";
		onSend?.();
		try {
			const response = await this.#timeout.wait(
				callFetch(this.#request, fetch, this.#url, init),
				"headersTimeoutMs",
			);
			outcome = `${response.status} ${readRequestId(response, this.#redact)}`;
			return response;
		} finally {
			logger?.debug(`${method} ${path}: ${outcome} after ${Date.now() - startedAt} ms`);
		}
	}

	/** @throws ApiError, ConnectionError for a response that is no success. */
	async #getSuccess(response: FetchResponse): Promise<FetchResponse> {
		if (isRedirect(response) || isCrossOriginRedirect(response, this.#url))
			throw createRedirectError(this.#url);
		if (response.ok || this.#request.acceptStatus?.(response.status)) return response;
		const body = await this.#timeout.wait(readText(response), "headersTimeoutMs");
		throw readApiError(response, body, this.#redact);
	}

	/** A body that is made as it is sent is made for each try; `false` where that cannot be done again. */
	#renewBody(): boolean {
		const { stream } = this.#request;
		try {
			if (stream !== undefined) this.#init.body = stream.open();
			return true;
		} catch {
			return false;
		}
	}
}

/**
 * Calls the `fetch` that was passed in. Without one, uses `XMLHttpRequest` for what the platform's own `fetch` cannot
 * do: streams, upload progress.
 */
async function callFetch(
	{ accept, isResumable, onUploadProgress }: ServiceRequest,
	customFetch: Fetch | undefined,
	url: string,
	init: FetchInit,
): Promise<FetchResponse> {
	const XmlHttpRequest = customFetch === undefined ? platformXmlHttpRequest() : undefined;
	const isStream = accept !== undefined && !canStreamBodies();
	if (XmlHttpRequest !== undefined && (isStream || onUploadProgress !== undefined)) {
		const { fetchByXmlHttpRequest } = await import("./xml-http-request");
		return fetchByXmlHttpRequest(XmlHttpRequest, url, init, { isResumable, onUploadProgress });
	}
	const fetch = customFetch ?? platformFetch();
	if (fetch !== undefined) return fetch(url, init);
	throw new ConfigurationError("This platform has no `fetch`.", { hint: "Pass one in the option `fetch`." });
}
