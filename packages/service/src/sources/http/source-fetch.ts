import { setTimeout as wait } from "node:timers/promises";
import { StemmaError } from "@stemma/core/errors";
import { clock } from "@stemma/core/internal";
import type { OutboundGate } from "../../outbound/outbound-gate";
import type { SourceFetch, SourceRequest, SourceResponse } from "../connectors/connector";
import { SourceError } from "../source-error";

const MAX_REDIRECTS = 10;
const MAX_RETRIES = 3;
/** Longest pause that a server may ask for, in milliseconds. */
const MAX_RETRY_AFTER_MS = 60_000;
const DEFAULT_RETRY_AFTER_MS = 2_000;
/** Longest time until the headers of a response, in milliseconds. */
const MAX_HEADERS_MS = 60_000;

/** Options of the requests of one scan. */
export interface SourceFetchOptions {
	readonly gate: Pick<OutboundGate, "fetch">;
	/** Maximum size of a body, where a request does not say. */
	readonly maxBytes: number;
	readonly signal: AbortSignal;
	/** Longest pause that is waited for, in milliseconds. Default: a minute. */
	readonly maxRetryAfterMs?: number;
	/** Default: a minute. */
	readonly maxHeadersMs?: number;
}

/** Creates the requests of one scan: redirects, retries and limits over the outbound gate. */
export function createSourceFetch(options: SourceFetchOptions): SourceFetch {
	return async (url, request = {}) => {
		for (let retries = 0; ; retries += 1) {
			const response = await followRedirects(options, url, request);
			const pauseMs = findPause(response, retries, options);
			if (pauseMs === undefined) return response;
			await response.body?.cancel().catch(() => undefined);
			await wait(pauseMs, undefined, { signal: options.signal });
		}
	};
}

/** @returns the pause before the next attempt, in milliseconds; `undefined`: there is none. */
function findPause(
	{ status, headers }: SourceResponse,
	retries: number,
	{ maxRetryAfterMs = MAX_RETRY_AFTER_MS }: SourceFetchOptions,
): number | undefined {
	if ((status !== 429 && status !== 503) || retries >= MAX_RETRIES) return undefined;
	const pauseMs = readRetryAfter(headers.get("retry-after")) ?? DEFAULT_RETRY_AFTER_MS * 2 ** retries;
	return pauseMs <= maxRetryAfterMs ? pauseMs : undefined;
}

/** Reads `retry-after` (RFC 9110, section 10.2.3): seconds, or a date. */
function readRetryAfter(value: string | null): number | undefined {
	if (value === null) return undefined;
	if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
	const time = Date.parse(value);
	return Number.isNaN(time) ? undefined : Math.max(0, time - clock.now());
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Headers that another origin does not get. */
const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set(["authorization", "cookie"]);

async function followRedirects(
	options: SourceFetchOptions,
	url: string,
	{ headers = {}, maxRedirects = MAX_REDIRECTS, maxBytes = options.maxBytes }: SourceRequest,
): Promise<SourceResponse> {
	let address = url;
	let sent = headers;
	for (let redirects = 0; ; redirects += 1) {
		const response = await send(options, address, sent);
		const { status, headers: received, body } = response;
		if (!REDIRECTS.has(status) || maxRedirects === 0)
			return {
				url: address,
				status,
				headers: received,
				body: body && limitBody(body, maxBytes, options.signal),
			};
		await body?.cancel().catch(() => undefined);
		if (redirects >= maxRedirects) throw tooManyRedirects(maxRedirects);
		const next = resolveRedirect(address, received.get("location"));
		if (new URL(next).origin !== new URL(address).origin) sent = withoutCredentials(sent);
		address = next;
	}
}

async function send(
	{ gate, signal, maxHeadersMs = MAX_HEADERS_MS }: SourceFetchOptions,
	url: string,
	headers: Readonly<Record<string, string>>,
): Promise<Response> {
	const timeout = new AbortController();
	const timer = setTimeout(() => timeout.abort(), maxHeadersMs);
	const either = AbortSignal.any([signal, timeout.signal]);
	try {
		const request = gate.fetch(url, {
			headers: { "user-agent": "stemma", ...headers },
			redirect: "manual",
			signal: either,
		});
		return await request;
	} catch (error) {
		signal.throwIfAborted();
		if (timeout.signal.aborted) throw timeoutError(maxHeadersMs);
		throw toSourceError(error);
	} finally {
		clearTimeout(timer);
	}
}

const withoutCredentials = (headers: Readonly<Record<string, string>>): Record<string, string> =>
	Object.fromEntries(Object.entries(headers).filter(([name]) => !CREDENTIAL_HEADERS.has(name.toLowerCase())));

function resolveRedirect(from: string, location: string | null): string {
	const url = location === null ? null : URL.parse(location, from);
	if (url !== null && /^https?:$/.test(url.protocol)) return url.href;
	throw new SourceError("The server redirects to something that is not a web address.", {
		code: "redirect_invalid",
		hint: "Name the address that the document really has.",
	});
}

/** A body that fails with a SourceError where it is too long. */
function limitBody(
	body: ReadableStream<Uint8Array>,
	maxBytes: number,
	signal: AbortSignal,
): ReadableStream<Uint8Array> {
	const reader = body.getReader();
	let length = 0;
	return new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				try {
					const { value } = await reader.read();
					length += value?.byteLength ?? 0;
					if (length > maxBytes) throw tooLargeError(maxBytes);
					if (value === undefined) controller.close();
					else controller.enqueue(value);
				} catch (error) {
					reader.cancel().catch(() => undefined);
					controller.error(signal.aborted ? signal.reason : toSourceError(error));
				}
			},
			cancel: (reason) => reader.cancel(reason),
		},
		{ highWaterMark: 0 },
	);
}

/** Error of an item, or of a body, that is larger than allowed. */
export const tooLargeError = (maxBytes: number): SourceError =>
	new SourceError(`It is larger than ${maxBytes.toLocaleString("en")} bytes.`, {
		code: "too_large",
		hint: "The operator of the service can raise limits.upload_bytes.",
	});

const tooManyRedirects = (max: number): SourceError =>
	new SourceError(`The server redirects more than ${max} times.`, {
		code: "too_many_redirects",
		hint: "Name the address that the document really has.",
	});

const timeoutError = (ms: number): SourceError =>
	new SourceError(`The server did not respond within ${ms / 1000} s.`, {
		code: "timeout",
		hint: "The next sync tries again.",
	});

/** Codes of the gate by which a report names them. */
const CODES: Readonly<Record<string, string>> = {
	outbound_timeout: "timeout",
	response_too_large: "too_large",
};

function toSourceError(cause: unknown): SourceError {
	if (SourceError.is(cause)) return cause;
	if (StemmaError.is(cause)) {
		const { message, code, hint } = cause;
		return new SourceError(message, {
			code: CODES[code] ?? code,
			...(hint !== undefined && { hint }),
			cause,
		});
	}
	return new SourceError("The server cannot be reached, or the connection was closed.", {
		code: "unreachable",
		hint: "Check the address; the next sync tries again.",
		cause,
	});
}
