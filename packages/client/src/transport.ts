import { ConfigurationError } from "@stemma/core/errors";
import { isJsonObject } from "@stemma/core/internal";
import { createBodyReader } from "./body-reader";
import { type CallGuard, createCallGuard } from "./call-guard";
import { withRequestId } from "./call-options";
import type { OpenAnswer, ServiceRequest, StemmaClient } from "./client";
import { createRedirectError, isRedirect, toConnectionError } from "./connection-error";
import type { Credential } from "./credential";
import { createInvalidAnswerError, demandStream } from "./invalid-answer";
import { type ConnectionSettings, mergeTimeouts } from "./options";
import { canStreamBodies, type FetchInit, type FetchResponse, platformFetch } from "./platform";
import { parseJson, readApiError } from "./read-api-error";
import { dropBody, isJsonAnswer, readRequestId } from "./response";
import { isWorthRetrying, retryDelay } from "./retry";
import { toFetchInit, toUrl } from "./to-fetch-init";

/** One call under way, over all its tries. */
interface Call {
	readonly request: ServiceRequest;
	readonly url: string;
	/** The same for each try, idempotency key included; the authorization comes on top. */
	readonly init: FetchInit;
	readonly guard: CallGuard;
}

/** Sends requests with a credential: the only place that calls `fetch`. */
export function createTransport(settings: ConnectionSettings, credential: Credential): StemmaClient {
	const { baseUrl, logger, maxRetries, retryDelayMs, timeouts } = settings;

	function startCall(request: ServiceRequest): Call {
		const { options = {} } = request;
		const init = toFetchInit(request, settings.headers);
		const guard = createCallGuard(mergeTimeouts(timeouts, options.timeouts), options.signal);
		return { request, url: toUrl(baseUrl, request), init: { ...init, signal: guard.signal }, guard };
	}

	async function sendOnce(
		{ request, url, init, guard }: Call,
		authorization?: string,
	): Promise<FetchResponse> {
		const startedAt = Date.now();
		const log = (outcome: string): void =>
			logger?.debug(`${request.method} ${request.path}: ${outcome} after ${Date.now() - startedAt} ms`);
		const headers = authorization === undefined ? init.headers : { ...init.headers, authorization };
		try {
			const response = await guard.wait(callFetch(settings, url, { ...init, headers }), "responseMs");
			log(`${response.status} ${response.headers.get("x-request-id") ?? ""}`);
			return response;
		} catch (error) {
			log("no answer");
			throw guard.stopped?.error ?? toConnectionError(error, url, credential);
		}
	}

	/** One more try with another credential, where there may be one: tokens end before their time when a client is changed. */
	async function sendAuthorized(call: Call): Promise<FetchResponse> {
		const authorization = await call.guard.wait(credential.authorization());
		const response = await sendOnce(call, authorization);
		if (response.status !== 401 || !credential.renew(authorization)) return response;
		dropBody(response);
		return sendOnce(call, await call.guard.wait(credential.authorization()));
	}

	async function sendOk(call: Call): Promise<FetchResponse> {
		const response = await sendAuthorized(call);
		if (response.ok) return response;
		if (isRedirect(response)) {
			dropBody(response);
			throw createRedirectError(call.url);
		}
		throw readApiError(response, credential.redact(await readText(call, response)));
	}

	async function readText({ guard, url }: Call, response: FetchResponse): Promise<string> {
		try {
			return await guard.wait(response.text(), "responseMs");
		} catch (error) {
			throw guard.stopped?.error ?? toConnectionError(error, url, credential);
		}
	}

	async function retrying<Result>(call: Call, attempt: () => Promise<Result>): Promise<Result> {
		for (let retry = 1; ; retry++) {
			try {
				return await attempt();
			} catch (error) {
				if (retry > maxRetries || !isWorthRetrying(error, call.request.retry)) throw error;
				const delay = retryDelay(retry, retryDelayMs, error);
				logger?.warn(
					`${call.request.method} ${call.request.path}: retry ${retry} in ${Math.round(delay)} ms`,
				);
				await call.guard.sleep(delay);
			}
		}
	}

	async function readJson<Body extends object>(call: Call, response: FetchResponse) {
		const body = parseJson(await readText(call, response));
		const requestId = readRequestId(response);
		if (isJsonObject(body)) return withRequestId(body as Body, requestId);
		throw createInvalidAnswerError("The answer is not a JSON object.", {
			status: response.status,
			requestId,
		});
	}

	function toOpenAnswer(call: Call, response: FetchResponse): OpenAnswer {
		const { guard, url } = call;
		const toError = (error: unknown): unknown =>
			guard.stopped?.error ?? toConnectionError(error, url, credential);
		return {
			requestId: readRequestId(response),
			isJson: isJsonAnswer(response),
			json: <Body extends object>() => readJson<Body>(call, response).finally(guard.end),
			...createBodyReader(response, guard, toError),
		};
	}

	return {
		baseUrl,
		timeouts,
		retryDelayMs,
		logger,
		get canStream() {
			return settings.fetch !== undefined || canStreamBodies();
		},
		async request<Answer extends object>(request: ServiceRequest) {
			const call = startCall(request);
			return retrying(call, async () => readJson<Answer>(call, await sendOk(call))).finally(call.guard.end);
		},
		async open(request) {
			const call = startCall(request);
			try {
				const response = await retrying(call, () => sendOk(call));
				if (request.accept === "text/event-stream") demandStream(response);
				return toOpenAnswer(call, response);
			} catch (error) {
				call.guard.end();
				throw error;
			}
		},
	};
}

async function callFetch({ fetch = platformFetch() }: ConnectionSettings, url: string, init: FetchInit) {
	if (fetch !== undefined) return fetch(url, init);
	throw new ConfigurationError("This platform has no `fetch`.", { hint: "Pass one in the option `fetch`." });
}
