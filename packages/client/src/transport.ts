import { ConfigurationError } from "@stemma/core/errors";
import { isJsonObject } from "@stemma/core/internal";
import { createBodyReader } from "./body-reader";
import { type CallGuard, createCallGuard } from "./call-guard";
import { withRequestId } from "./call-options";
import type { ServiceRequest, StemmaClient } from "./client";
import { createRedirectError, isRedirect, toConnectionError } from "./connection-error";
import { type Credential, redact, redactJson } from "./credential";
import { createInvalidAnswerError, demandStream } from "./invalid-answer";
import { type ConnectionSettings, mergeTimeouts } from "./options";
import {
	canStreamBodies,
	type Fetch,
	type FetchInit,
	type FetchResponse,
	platformFetch,
	platformXmlHttpRequest,
} from "./platform";
import { parseJson, readApiError } from "./read-api-error";
import { dropBody, header, isFromElsewhere, isJsonAnswer, readRequestId, readText } from "./response";
import { isWorthRetrying, retryDelay } from "./retry";
import { toFetchInit, toUrl } from "./to-fetch-init";

/** One call under way, over all its tries. */
interface Call {
	readonly request: ServiceRequest;
	readonly url: string;
	/** The same for each try, idempotency key included; the authorization comes on top. */
	readonly init: FetchInit;
	readonly guard: CallGuard;
	/** Takes out of a text what the call is authorised with. */
	readonly redact: (text: string) => string;
	/** What the credential needs is tried again by itself. */
	mayRetry: boolean;
}

/** Sends requests with a credential: the only place that calls `fetch`. */
export function createTransport(settings: ConnectionSettings, credential: Credential): StemmaClient {
	const { baseUrl, logger, maxRetries, retryDelayMs, timeouts } = settings;

	/** An answer's body is read as a part of each try, or later: whoever reads it ends the guard. */
	async function send<Result>(
		request: ServiceRequest,
		read: (response: FetchResponse, call: Call) => Result | Promise<Result>,
	): Promise<Result> {
		const call = startCall(request);
		try {
			for (let retry = 1; ; retry++)
				try {
					return await read(await sendAuthorized(call), call);
				} catch (error) {
					if (!call.mayRetry || retry > maxRetries || !isWorthRetrying(error, request.retry)) throw error;
					const delay = retryDelay(retry, retryDelayMs, error);
					logger?.warn(`${request.method} ${request.path}: retry ${retry} in ${Math.round(delay)} ms`);
					await call.guard.sleep(delay);
					if (!renewBody(call)) throw error;
				}
		} catch (error) {
			call.guard.end();
			throw error;
		}
	}

	function startCall(request: ServiceRequest): Call {
		const { options = {} } = request;
		const url = toUrl(baseUrl, request);
		const init = toFetchInit(request, settings);
		const runToken = init.headers["stemma-run-token"];
		const clean = (text: string): string => redact(credential.redact(text), [runToken]);
		const guard = createCallGuard(mergeTimeouts(timeouts, options.timeouts), options.signal, (error) =>
			toConnectionError(error, url, clean),
		);
		return { request, url, init: { ...init, signal: guard.signal }, guard, redact: clean, mayRetry: true };
	}

	/** What the credential needs is tried again by itself. */
	async function waitForCredential<Result>(
		call: Call,
		work: Promise<Result>,
		timeout?: "responseMs",
	): Promise<Result> {
		call.mayRetry = false;
		const result = await call.guard.wait(work, timeout);
		call.mayRetry = true;
		return result;
	}

	/** Again with another credential, where there may be one: tokens end before their time when a client is changed. */
	async function sendAuthorized(call: Call): Promise<FetchResponse> {
		if (call.request.anonymous) return demandSuccess(call, await sendOnce(call));
		const { signal } = call.guard;
		for (let attempt = 1; ; attempt++) {
			const authorization = await waitForCredential(call, credential.authorization(signal), "responseMs");
			const response = await sendOnce(call, authorization);
			if (response.ok) return demandSuccess(call, response);
			// People may have to log in first: no deadline of an answer ends that.
			const renewed = credential.renew({ response, authorization, attempt, signal });
			if (!(await waitForCredential(call, renewed)) || !renewBody(call)) return demandSuccess(call, response);
			dropBody(response);
		}
	}

	async function sendOnce(
		{ request, url, init, guard, redact }: Call,
		authorization?: string,
	): Promise<FetchResponse> {
		const headers = authorization === undefined ? init.headers : { ...init.headers, authorization };
		const startedAt = Date.now();
		let outcome = "no answer";
		request.onSend?.();
		try {
			const response = await guard.wait(
				callFetch(request, settings.fetch, url, { ...init, headers }),
				"responseMs",
			);
			outcome = `${response.status} ${readRequestId(response, redact)}`;
			return response;
		} finally {
			logger?.debug(`${request.method} ${request.path}: ${outcome} after ${Date.now() - startedAt} ms`);
		}
	}

	async function demandSuccess(
		{ request, url, guard, redact }: Call,
		response: FetchResponse,
	): Promise<FetchResponse> {
		if (isRedirect(response) || isFromElsewhere(response, url)) throw createRedirectError(url);
		if (response.ok || request.takes?.(response.status)) return response;
		throw readApiError(response, await guard.wait(readText(response), "responseMs"), redact);
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
		request: <Answer extends object>(request: ServiceRequest) => send(request, readJson<Answer>),
		open: (request) =>
			// The answer holds on to no more of the call: streams stay open for long.
			send(request, (response, { guard, redact }) => {
				const requestId = readRequestId(response, redact);
				if (request.accept && !request.takes) demandStream(response, requestId);
				return {
					requestId,
					status: response.status,
					header: (name) => header(response, name),
					isJson: isJsonAnswer(response),
					json: <Body extends object>() => readJson<Body>(response, { guard, redact }),
					...createBodyReader(response, guard),
				};
			}),
		redact: (json, ...secrets) => redactJson(json, (text) => redact(credential.redact(text), secrets)),
	};
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
	{ guard, redact }: Pick<Call, "guard" | "redact">,
) {
	const body = parseJson(await guard.wait(readText(response), "responseMs"));
	guard.end();
	const requestId = readRequestId(response, redact);
	if (isJsonObject(body)) return withRequestId(body as Body, requestId);
	throw createInvalidAnswerError("The answer is not a JSON object.", { status: response.status, requestId });
}

/** What is passed in is used. Else `XMLHttpRequest`, for what the platform's own `fetch` cannot: streams, telling progress. */
async function callFetch(
	{ accept, mayBeLeft, onUploadProgress }: ServiceRequest,
	given: Fetch | undefined,
	url: string,
	init: FetchInit,
): Promise<FetchResponse> {
	const XmlHttpRequest = given === undefined ? platformXmlHttpRequest() : undefined;
	const isStream = accept !== undefined && !canStreamBodies();
	if (XmlHttpRequest !== undefined && (isStream || onUploadProgress !== undefined)) {
		const { fetchByXmlHttpRequest } = await import("./xml-http-request");
		return fetchByXmlHttpRequest(XmlHttpRequest, url, init, { mayBeLeft, onUploadProgress });
	}
	const fetch = given ?? platformFetch();
	if (fetch !== undefined) return fetch(url, init);
	throw new ConfigurationError("This platform has no `fetch`.", { hint: "Pass one in the option `fetch`." });
}
