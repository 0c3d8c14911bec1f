import type { TokenUsage } from "@stemma/core";
import { ProviderError } from "../provider-error";
import { type AnswerBody, openAnswer } from "./answer-body";
import type { Attempts } from "./attempts";
import type { CallSettings } from "./call-options";
import type { CallWatch } from "./call-watch";
import { isRetriedStatus, readRetryAfter, toRetryDelay } from "./retry";
import { toNetworkError } from "./to-network-error";
import { type Endpoint, toProviderError, toTimeoutError, type VendorFailure } from "./to-provider-error";

/** What is sent to an endpoint, and how its refusals read. */
export interface PostRequest {
	readonly url: string;
	/** JSON. */
	readonly body: string;
	/** Asked for each attempt: a signature is good for one. What it throws fails the call. */
	readonly headers: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
	/** Default: answers are text. */
	readonly isBinary?: boolean;
	readError(refusal: Refusal): VendorFailure;
}

/** An answer that is no success. */
export interface Refusal {
	readonly status: number;
	readonly headers: Headers;
	/** As much of the body as could be had. */
	readonly text: string;
}

/** An answer that is a success, so far. */
export interface Answer {
	readonly body: AnswerBody;
	/** Empty where there is none. */
	readonly contentType: string;
}

interface Failure {
	readonly error: unknown;
	/** Another attempt may be answered. */
	readonly isWorthRetry: boolean;
	readonly retryAfterMs?: number | undefined;
	/** It was refused at the door, which takes no tokens. */
	readonly isFree?: boolean;
}

type PostSettings = CallSettings & Endpoint;

/**
 * Sends a request until there is an answer that is a success. Tries again after failures that pass, before any of an
 * answer was used; a timeout is none of these, for the vendor may still be working, and billing. All requests of a call
 * share its retries, until one of them is answered.
 *
 * @throws ProviderError, or why the call ended.
 */
export async function post(
	request: PostRequest,
	settings: PostSettings,
	watch: CallWatch,
	attempts: Attempts,
): Promise<Answer> {
	for (;;) {
		watch.throwIfEnded();
		attempts.count += 1;
		const outcome = await attempt(request, settings, watch);
		if ("body" in outcome) {
			attempts.failures = 0;
			attempts.mayCost = true;
			return outcome;
		}
		watch.throwIfEnded();
		if (!outcome.isFree) attempts.mayCost = true;
		else if (!attempts.mayCost && ProviderError.is(outcome.error)) outcome.error.usage = NOTHING;
		if (!outcome.isWorthRetry) throw outcome.error;
		attempts.failures += 1;
		const delay = toRetryDelay(attempts.failures, outcome.retryAfterMs, Math.random());
		if (attempts.failures > settings.maxRetries || delay === undefined) throw outcome.error;
		await watch.pause(delay);
	}
}

async function attempt(
	request: PostRequest,
	settings: PostSettings,
	watch: CallWatch,
): Promise<Answer | Failure> {
	const { url, body, isBinary } = request;
	const { fetch = globalThis.fetch } = settings;
	const headers = await request.headers();
	watch.arm(settings.responseMs, () => toTimeoutError("responseMs", settings));
	try {
		// "manual", not "error": a refused redirect could not be told from a host that cannot be reached.
		const init = { method: "POST", headers, body, signal: watch.signal, redirect: "manual" } as const;
		const response = await watch.guard(fetch(url, init));
		if (isRedirect(response)) return { error: toProviderError(REDIRECT, settings), isWorthRetry: false };
		if (!response.ok) return await readFailure(response, request, settings, watch);
		return {
			body: openAnswer(response, watch, settings, isBinary),
			contentType: response.headers.get("content-type") ?? "",
		};
	} catch (error) {
		watch.throwIfEnded();
		const failure = toNetworkError(error, "unreachable", settings);
		return { error: failure, isWorthRetry: failure.code === "unreachable" };
	} finally {
		watch.disarm();
	}
}

const isRedirect = ({ status, type, redirected }: Response): boolean =>
	redirected || type === "opaqueredirect" || (status >= 300 && status < 400);

const REDIRECT: VendorFailure = {
	code: "bad_response",
	what: "answers with a redirect, which is not followed: a key goes to `baseUrl` alone",
};

const NOTHING: TokenUsage = { inputTokens: 0, outputTokens: 0 };

async function readFailure(
	response: Response,
	request: PostRequest,
	settings: PostSettings,
	watch: CallWatch,
): Promise<Failure> {
	const { status, headers } = response;
	const retryAfterMs = readRetryAfter(headers, Date.now());
	const text = await openAnswer(response, watch, settings).errorText();
	const failure = request.readError({ status, headers, text });
	const { code, isPassing = isRetriedStatus(status) } = failure;
	return {
		error: toProviderError(failure, settings, { status, retryAfterMs }),
		isWorthRetry: isPassing && code !== "quota" && headers.get("x-should-retry") !== "false",
		retryAfterMs,
		isFree: status < 500 && status !== 408,
	};
}
