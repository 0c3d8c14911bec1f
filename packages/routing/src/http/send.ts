import { isStemmaError } from "@stemma/core/errors";
import { isJsonObject } from "@stemma/core/internal";
import { ProviderError } from "../provider-error";
import type { CallWatch } from "./call-watch";
import { readRetryAfter, toRetryDelay } from "./retry";

/** The part of `fetch` that is used. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

/** A POST of JSON, and how long and how often it is tried. */
export interface HttpCall {
	/** Default: `fetch` of the platform, looked up at each call. */
	readonly fetch: FetchLike | undefined;
	readonly url: string;
	readonly vendorHost: string;
	/** Asked for each attempt: a signature is good for one. What it throws fails the call. */
	readonly headers: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
	readonly body: string;
	/** Until the headers of the answer. */
	readonly responseMs: number;
	readonly maxRetries: number;
	/** What an answer that is no success means. */
	toFailure(response: Response, retryAfterMs: number | undefined): Promise<RefusedCall>;
	onAttempt(): void;
}

/** An answer that is no success. */
export interface RefusedCall {
	readonly error: ProviderError;
	/** Another attempt may be answered. */
	readonly isPassing: boolean;
}

interface Failure {
	readonly error: unknown;
	readonly isWorthRetry: boolean;
}

/**
 * Sends until there is an answer that is a success. Tries again after failures that pass, before any of an answer was
 * used; a timeout is none of these, for the vendor may still be working, and billing.
 *
 * @throws ProviderError, or why the call ended.
 */
export async function send(call: HttpCall, watch: CallWatch): Promise<Response> {
	for (let failures = 0; ; ) {
		watch.throwIfEnded();
		call.onAttempt();
		const outcome = await attempt(call, watch);
		if (!("error" in outcome)) return outcome;
		watch.throwIfEnded();
		failures += 1;
		const { error } = outcome;
		const retryAfterMs = ProviderError.is(error) ? error.retryAfterMs : undefined;
		const delay = toRetryDelay(failures, retryAfterMs, Math.random());
		if (!outcome.isWorthRetry || failures > call.maxRetries || delay === undefined) throw error;
		await watch.pause(delay);
	}
}

async function attempt(call: HttpCall, watch: CallWatch): Promise<Response | Failure> {
	const headers = await call.headers();
	watch.arm(call.responseMs, () => toTimeoutError(call));
	try {
		const response = await watch.guard(request(call, headers, watch.signal));
		if (isRedirect(response)) return { error: toRedirectError(call), isWorthRetry: false };
		return response.ok ? response : await readFailure(call, response);
	} catch (error) {
		watch.throwIfEnded();
		return toNetworkFailure(call, error);
	} finally {
		watch.disarm();
	}
}

async function request(
	{ fetch, url, body }: HttpCall,
	headers: Readonly<Record<string, string>>,
	signal: AbortSignal,
): Promise<Response> {
	const send = fetch ?? globalThis.fetch;
	// "manual", not "error": a refused redirect could not be told from a host that cannot be reached.
	return send(url, { method: "POST", headers, body, signal, redirect: "manual" });
}

const isRedirect = ({ status, type, redirected }: Response): boolean =>
	redirected || type === "opaqueredirect" || (status >= 300 && status < 400);

async function readFailure(call: HttpCall, response: Response): Promise<Failure> {
	const { headers } = response;
	const { error, isPassing } = await call.toFailure(response, readRetryAfter(headers, Date.now()));
	const isFinal = error.code === "quota" || headers.get("x-should-retry") === "false";
	return { error, isWorthRetry: !isFinal && isPassing };
}

/** What a `fetch` of one's own throws on purpose (an address that is not allowed, say) stands, also wrapped. */
function toNetworkFailure({ vendorHost }: HttpCall, error: unknown): Failure {
	const cause = isJsonObject(error) ? error.cause : undefined;
	if (isStemmaError(error)) return { error, isWorthRetry: false };
	if (isStemmaError(cause)) return { error: cause, isWorthRetry: false };
	const code =
		isJsonObject(cause) && /^[A-Z][A-Z\d_]{2,49}$/.test(String(cause.code)) ? ` (${cause.code})` : "";
	const unreachable = new ProviderError(`Cannot reach ${vendorHost}${code}.`, {
		code: "unreachable",
		vendorHost,
		hint: "Check `baseUrl`, that the endpoint is up, and that this machine may connect to it.",
		cause: error,
	});
	return { error: unreachable, isWorthRetry: true };
}

const toTimeoutError = ({ vendorHost, responseMs }: HttpCall): ProviderError =>
	new ProviderError(`${vendorHost} did not answer within ${responseMs / 1000} s.`, {
		code: "timeout",
		vendorHost,
		hint: "Try again, or raise `timeouts.responseMs` for a slow model.",
	});

const toRedirectError = ({ vendorHost }: HttpCall): ProviderError =>
	new ProviderError(`${vendorHost} answers with a redirect, which is not followed.`, {
		code: "bad_response",
		vendorHost,
		hint: "Set `baseUrl` to where the endpoint really is; keys are sent nowhere else.",
	});
