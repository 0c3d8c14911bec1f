import type { TokenUsage } from "@stemma/core";
import { ProviderError } from "../provider-error";
import type { Attempts } from "./attempts";
import type { CallSettings } from "./call-options";
import { type CallTimeout, sleep } from "./call-timeout";
import { openResponseBody, type ResponseBody } from "./response-body";
import { isRetryableStatus, readRetryAfter, toRetryDelay } from "./retry";
import { toNetworkError } from "./to-network-error";
import { type Endpoint, toProviderError, toTimeoutError, type VendorFailure } from "./to-provider-error";

/** Request to an endpoint, and the reader of its refusals. */
export interface HttpRequest {
	readonly url: string;
	/** JSON. */
	readonly body: string;
	/** Asked for each attempt: a signature is good for one. What it throws fails the call. */
	readonly headers: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
	/** Default: answers are text. */
	readonly isBinary?: boolean;
	readError(errorResponse: ErrorResponse): VendorFailure;
}

/** An answer that is no success. */
export interface ErrorResponse {
	readonly status: number;
	readonly headers: Headers;
	/** Body of the response, as much of it as could be read. */
	readonly text: string;
}

/** An answer that is a success, so far. */
export interface HttpResponse {
	readonly body: ResponseBody;
	/** Empty where there is none. */
	readonly contentType: string;
}

interface Failure {
	readonly error: unknown;
	/** Another attempt may be answered. */
	readonly isRetryable: boolean;
	readonly retryAfterMs?: number | undefined;
	/** True where the request was refused before any work was done, which takes no tokens. */
	readonly isUnbilled?: boolean;
}

type SendSettings = CallSettings & Endpoint;

/**
 * Sends a request until there is an answer that is a success. Tries again after failures that pass, before any of an
 * answer was used; a timeout is none of these, for the vendor may still be working, and billing. All requests of a call
 * share its retries, until one of them is answered.
 *
 * @throws ProviderError, or why the call ended.
 */
export async function sendWithRetry(
	request: HttpRequest,
	settings: SendSettings,
	callTimeout: CallTimeout,
	attempts: Attempts,
): Promise<HttpResponse> {
	for (;;) {
		callTimeout.throwIfEnded();
		attempts.count += 1;
		const outcome = await attempt(request, settings, callTimeout);
		if ("body" in outcome) {
			attempts.failures = 0;
			attempts.mayBeBilled = true;
			return outcome;
		}
		callTimeout.throwIfEnded();
		if (!outcome.isUnbilled) attempts.mayBeBilled = true;
		else if (!attempts.mayBeBilled && ProviderError.is(outcome.error)) outcome.error.usage = ZERO_USAGE;
		if (!outcome.isRetryable) throw outcome.error;
		attempts.failures += 1;
		const delay = toRetryDelay(attempts.failures, outcome.retryAfterMs, Math.random());
		if (attempts.failures > settings.maxRetries || delay === undefined) throw outcome.error;
		await sleep(callTimeout, delay);
	}
}

async function attempt(
	request: HttpRequest,
	settings: SendSettings,
	callTimeout: CallTimeout,
): Promise<HttpResponse | Failure> {
	const { url, body, isBinary } = request;
	const { fetch = globalThis.fetch } = settings;
	const headers = await request.headers();
	callTimeout.arm(settings.headersTimeoutMs, () => toTimeoutError("headersTimeoutMs", settings));
	try {
		// "manual", not "error": a refused redirect could not be told from a host that cannot be reached.
		const init = { method: "POST", headers, body, signal: callTimeout.signal, redirect: "manual" } as const;
		const response = await callTimeout.guard(fetch(url, init));
		if (isRedirect(response)) return { error: toProviderError(REDIRECT, settings), isRetryable: false };
		if (!response.ok) return await readFailure(response, request, settings, callTimeout);
		return {
			body: openResponseBody(response, callTimeout, settings, isBinary),
			contentType: response.headers.get("content-type") ?? "",
		};
	} catch (error) {
		callTimeout.throwIfEnded();
		const failure = toNetworkError(error, "unreachable", settings);
		return { error: failure, isRetryable: failure.code === "unreachable" };
	} finally {
		callTimeout.disarm();
	}
}

const isRedirect = ({ status, type, redirected }: Response): boolean =>
	redirected || type === "opaqueredirect" || (status >= 300 && status < 400);

const REDIRECT: VendorFailure = {
	code: "bad_response",
	what: "answers with a redirect, which is not followed: a key goes to {baseUrl} alone",
};

const ZERO_USAGE: TokenUsage = { inputTokens: 0, outputTokens: 0 };

async function readFailure(
	response: Response,
	request: HttpRequest,
	settings: SendSettings,
	callTimeout: CallTimeout,
): Promise<Failure> {
	const { status, headers } = response;
	const retryAfterMs = readRetryAfter(headers, Date.now());
	const text = await openResponseBody(response, callTimeout, settings).errorText();
	const failure = request.readError({ status, headers, text });
	const { code, isTransient = isRetryableStatus(status) } = failure;
	return {
		error: toProviderError(failure, settings, { status, retryAfterMs }),
		isRetryable: isTransient && code !== "quota" && headers.get("x-should-retry") !== "false",
		retryAfterMs,
		isUnbilled: status < 500 && status !== 408,
	};
}
