import { ConfigurationError } from "@stemma/core/errors";
import { isJsonObject } from "@stemma/core/internal";
import { type Credential, redact, redactJson } from "../auth/credential";
import type { ServiceRequest, StemmaClient } from "../client";
import { createRedirectError, isRedirect, toConnectionError } from "../errors/connection-error";
import { assertStream, createInvalidResponseError } from "../errors/invalid-response";
import { parseJson, readApiError } from "../errors/read-api-error";
import { withRequestId } from "../options/call-options";
import { type ConnectionSettings, mergeTimeouts } from "../options/client-options";
import { createBodyReader } from "./body-reader";
import { type CallTimeout, createCallTimeout } from "./call-timeout";
import {
	canStreamBodies,
	type Fetch,
	type FetchInit,
	type FetchResponse,
	platformFetch,
	platformXmlHttpRequest,
} from "./platform";
import {
	discardBody,
	header,
	isCrossOriginRedirect,
	isJsonResponse,
	readRequestId,
	readText,
} from "./response";
import { isRetryable, retryDelay } from "./retry";
import { toFetchInit, toUrl } from "./to-fetch-init";

/** One call under way, over all its tries. */
interface Call {
	readonly request: ServiceRequest;
	readonly url: string;
	/** Options for `fetch`, the same for each try, idempotency key included; the authorization is added to them. */
	readonly init: FetchInit;
	readonly callTimeout: CallTimeout;
	/** Takes out of a text what the call is authorised with. */
	readonly redact: (text: string) => string;
	/** True where the transport may retry. What the credential needs is retried by the credential itself. */
	canRetry: boolean;
}

/** Sends requests with a credential: the only place that calls `fetch`. */
export function createTransport(settings: ConnectionSettings, credential: Credential): StemmaClient {
	const { baseUrl, logger, maxRetries, retryDelayMs, timeouts } = settings;

	/** An answer's body is read as a part of each try, or later: whoever reads it ends the call timeout. */
	async function send<Result>(
		request: ServiceRequest,
		read: (response: FetchResponse, call: Call) => Result | Promise<Result>,
	): Promise<Result> {
		const call = startCall(settings, credential, request);
		try {
			for (let retry = 1; ; retry++)
				try {
					return await read(await sendAuthorized(call), call);
				} catch (error) {
					if (!call.canRetry || retry > maxRetries || !isRetryable(error, request.retry)) throw error;
					const delay = retryDelay(retry, retryDelayMs, error);
					logger?.warn(`${request.method} ${request.path}: retry ${retry} in ${Math.round(delay)} ms`);
					await call.callTimeout.sleep(delay);
					if (!renewBody(call)) throw error;
				}
		} catch (error) {
			call.callTimeout.end();
			throw error;
		}
	}

	/**
	 * Sends a request, and again with a new credential where there is one: tokens become invalid early when a client is
	 * changed.
	 */
	async function sendAuthorized(call: Call): Promise<FetchResponse> {
		if (call.request.anonymous) return getSuccessResponse(call, await sendOnce(settings, call));
		const { signal } = call.callTimeout;
		for (let attempt = 1; ; attempt++) {
			const authorization = await awaitCredential(call, credential.authorization(signal), "headersTimeoutMs");
			const response = await sendOnce(settings, call, authorization);
			if (response.ok) return getSuccessResponse(call, response);
			// People may have to log in first: no deadline of an answer ends that.
			const renewed = credential.renew({ response, authorization, attempt, signal });
			if (!(await awaitCredential(call, renewed)) || !renewBody(call))
				return getSuccessResponse(call, response);
			discardBody(response);
		}
	}

	return {
		baseUrl,
		timeouts,
		maxRetries,
		retryDelayMs,
		logger,
		get canStream() {
			return (settings.fetch ?? platformXmlHttpRequest()) !== undefined || canStreamBodies();
		},
		credential,
		request: <Result extends object>(request: ServiceRequest) => send(request, readJson<Result>),
		open: (request) =>
			// The answer holds on to no more of the call: streams stay open for long.
			send(request, (response, { callTimeout, redact }) => {
				const requestId = readRequestId(response, redact);
				if (request.accept && !request.acceptStatus) assertStream(response, requestId);
				return {
					requestId,
					status: response.status,
					header: (name) => header(response, name),
					isJson: isJsonResponse(response),
					json: <Body extends object>() => readJson<Body>(response, { callTimeout, redact }),
					...createBodyReader(response, callTimeout),
				};
			}),
		redact: (json, ...secrets) => redactJson(json, (text) => redact(credential.redact(text), secrets)),
	};
}

function startCall(settings: ConnectionSettings, credential: Credential, request: ServiceRequest): Call {
	const { options = {} } = request;
	const url = toUrl(settings.baseUrl, request);
	const init = toFetchInit(request, settings);
	const runToken = init.headers["stemma-run-token"];
	const redactText = (text: string): string => redact(credential.redact(text), [runToken]);
	const callTimeout = createCallTimeout(
		mergeTimeouts(settings.timeouts, options.timeouts),
		options.signal,
		(error) => toConnectionError(error, url, redactText),
	);
	return {
		request,
		url,
		init: { ...init, signal: callTimeout.signal },
		callTimeout,
		redact: redactText,
		canRetry: true,
	};
}

/** Waits for work of the credential, which does its own retries. */
async function awaitCredential<Result>(
	call: Call,
	work: Promise<Result>,
	timeout?: "headersTimeoutMs",
): Promise<Result> {
	call.canRetry = false;
	const result = await call.callTimeout.wait(work, timeout);
	call.canRetry = true;
	return result;
}

async function sendOnce(
	{ fetch, logger }: ConnectionSettings,
	{ request, url, init, callTimeout, redact }: Call,
	authorization?: string,
): Promise<FetchResponse> {
	const headers = authorization === undefined ? init.headers : { ...init.headers, authorization };
	const startedAt = Date.now();
	let outcome = "no answer";
	request.onSend?.();
	try {
		const response = await callTimeout.wait(
			callFetch(request, fetch, url, { ...init, headers }),
			"headersTimeoutMs",
		);
		outcome = `${response.status} ${readRequestId(response, redact)}`;
		return response;
	} finally {
		logger?.debug(`${request.method} ${request.path}: ${outcome} after ${Date.now() - startedAt} ms`);
	}
}

async function getSuccessResponse(
	{ request, url, callTimeout, redact }: Call,
	response: FetchResponse,
): Promise<FetchResponse> {
	if (isRedirect(response) || isCrossOriginRedirect(response, url)) throw createRedirectError(url);
	if (response.ok || request.acceptStatus?.(response.status)) return response;
	throw readApiError(response, await callTimeout.wait(readText(response), "headersTimeoutMs"), redact);
}

/** A body that is made as it is sent is made for each try; `false` where that cannot be done again. */
function renewBody({ request: { stream }, init }: Call): boolean {
	try {
		if (stream !== undefined) init.body = stream.open();
		return true;
	} catch {
		return false;
	}
}

async function readJson<Body extends object>(
	response: FetchResponse,
	{ callTimeout, redact }: Pick<Call, "callTimeout" | "redact">,
) {
	const body = parseJson(await callTimeout.wait(readText(response), "headersTimeoutMs"));
	callTimeout.end();
	const requestId = readRequestId(response, redact);
	if (isJsonObject(body)) return withRequestId(body as Body, requestId);
	throw createInvalidResponseError("The answer is not a JSON object.", {
		status: response.status,
		requestId,
	});
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
