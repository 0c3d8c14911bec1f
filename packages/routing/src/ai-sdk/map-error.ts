import { ConfigurationError, isStemmaError } from "@stemma/core/errors";
import { toErrorTrace } from "../http/error-trace";
import { asObject, asText, type Fields } from "../http/lenient-json";
import { readRetryAfter } from "../http/retry";
import {
	type Endpoint,
	type ErrorDetails,
	toProviderError,
	type VendorFailure,
} from "../http/to-provider-error";
import { readErrorResponse, readFailure } from "../openai-compatible/map-error";
import type { ProviderErrorCode } from "../provider-error";
import { toErrorChain } from "./error-chain";

/** Maximum length of an error's body that is read, in UTF-16 code units. */
const MAX_ERROR_BODY_CHARACTERS = 64 * 1024;

interface ReadError {
	readonly failure: VendorFailure;
	readonly details?: ErrorDetails;
}

/**
 * Maps an error that a call to a model threw, or an error in its stream, to an error in our own words. The original is
 * never kept as the cause: it holds the prompt and the vendor's message. Where errors are nested, the first informative
 * one counts.
 *
 * @param isStreaming - whether the answer had begun.
 * @returns a `ProviderError`; a `ConfigurationError` where a setting of the AI SDK provider is missing; an error of
 * ours that a custom `fetch` has thrown on purpose (an address that is not allowed, say) as it is.
 */
export function mapError(error: unknown, endpoint: Endpoint, isStreaming: boolean): Error {
	const chain = toErrorChain(error);
	const stemmaError: unknown = chain.find(isStemmaError);
	if (isStemmaError(stemmaError)) return stemmaError;
	const informativeError = chain.find(isInformative) ?? error;
	const { name } = asObject(informativeError);
	if (name === "AI_LoadSettingError")
		return new ConfigurationError("The AI SDK provider of the model lacks a setting.", {
			hint: "Set what its documentation asks for (a base URL, a region, a project) where you create the provider.",
		});
	const hasKey = name !== "AI_LoadAPIKeyError";
	const { failure, details } = readError(informativeError, isStreaming);
	const hint = HINTS[failure.code];
	return toProviderError({ ...failure, ...(hint && { hint }) }, { ...endpoint, hasKey }, details);
}

/** The words for all providers name options that the AI SDK has elsewhere. */
const HINTS: { readonly [code in ProviderErrorCode]?: string } = {
	invalid_credential:
		"Give the AI SDK provider of the model a valid key: its `apiKey`, or the environment variable that it reads.",
	model_not_found: "Create the AI SDK model with an id that the vendor lists, and that the key may use.",
	unreachable: "Check the `baseURL` of the AI SDK provider, and that this machine may connect to it.",
};

const isErrorStatus = (statusCode: unknown): statusCode is number =>
	typeof statusCode === "number" && statusCode >= 400;

const isInformative = ({ name, statusCode }: Fields): boolean =>
	isErrorStatus(statusCode) ||
	name === "AI_APICallError" ||
	name === "AI_LoadSettingError" ||
	toNamedCode(name) !== undefined;

const toNamedCode = (name: unknown): ProviderErrorCode | undefined =>
	Object.hasOwn(CODES, asText(name)) ? CODES[asText(name)] : undefined;

function readError(error: unknown, isStreaming: boolean): ReadError {
	const fields = asObject(error);
	const { name, statusCode } = fields;
	if (isErrorStatus(statusCode)) return readHttpError(fields, statusCode);
	if (name === "AI_APICallError") return readConnectionError(fields, isStreaming);
	if (name === "AI_InvalidResponseDataError" && isStreaming && fields.data === undefined) return CUT_OFF;
	const code = toNamedCode(name);
	if (code !== undefined) return { failure: { code } };
	if (typeof fields.stack !== "string") return { failure: readErrorObject(error) };
	return readUnknown(toErrorChain(error), isStreaming);
}

/** Reads an error in a stream as the vendor wrote it. Some vendors wrap it once more. */
function readErrorObject(error: unknown): VendorFailure {
	const { code, type, message } = asObject(asObject(error).error ?? error);
	const errorValue = typeof error === "string" ? error : { code, type, message };
	return readFailure({ error: errorValue }, true) ?? { code: "overloaded" };
}

/** `APICallError` of all providers, and the errors of the AI SDK's gateway, which have no body but a `type`. */
function readHttpError({ responseBody, responseHeaders, type, message }: Fields, status: number): ReadError {
	const body = asText(responseBody) || JSON.stringify({ error: { type, message } });
	const retryAfterMs = readRetryAfter(toHeaders(asObject(responseHeaders)), Date.now());
	return {
		failure: { code: readErrorResponse(status, body.slice(0, MAX_ERROR_BODY_CHARACTERS), []).code },
		details: { status, retryAfterMs },
	};
}

function toHeaders(headers: Fields): Headers {
	const wanted = new Headers();
	for (const name of ["retry-after-ms", "retry-after"]) {
		const value = asText(headers[name]);
		if (/^[\x20-\x7e]+$/.test(value)) wanted.set(name, value);
	}
	return wanted;
}

/**
 * Reads an error of the connection. Without a status there was no answer; with a success status the answer broke off or
 * could not be read.
 */
function readConnectionError({ statusCode, cause }: Fields, isStreaming: boolean): ReadError {
	if (asText(asObject(cause).name).startsWith("AI_")) return { failure: { code: "bad_response" } };
	const trace = toErrorTrace(toErrorChain(cause));
	const details = trace === undefined ? {} : { cause: trace };
	if (typeof statusCode === "number" || isStreaming) return { ...CUT_OFF, details };
	const isTimeout = /TIMEOUT|TIMEDOUT/.test(trace?.code ?? "");
	return { failure: { code: isTimeout ? "timeout" : "unreachable" }, details };
}

/** OpenAI-like providers say so when a stream ends without a reason. */
const CUT_OFF: ReadError = { failure: { code: "stream_truncated" } };

/**
 * Error codes by the name of the AI SDK's error class, because there may be several copies and versions of
 * `@ai-sdk/provider`.
 */
const CODES: { readonly [name: string]: ProviderErrorCode } = {
	AI_LoadAPIKeyError: "invalid_credential",
	AI_NoSuchModelError: "model_not_found",
	AI_UnsupportedFunctionalityError: "bad_request",
	AI_InvalidPromptError: "bad_request",
	AI_InvalidArgumentError: "bad_request",
	AI_EmptyResponseBodyError: "bad_response",
	AI_JSONParseError: "bad_response",
	AI_TypeValidationError: "bad_response",
	AI_InvalidResponseDataError: "bad_response",
	AI_NoContentGeneratedError: "bad_response",
	TimeoutError: "timeout",
	AbortError: "timeout",
};

function readUnknown(chain: readonly Fields[], isStreaming: boolean): ReadError {
	const code = chain.some(isNetworkError) ? "unreachable" : "bad_response";
	return {
		failure: { code: isStreaming ? "stream_truncated" : code },
		details: { cause: toErrorTrace(chain) },
	};
}

/** Browsers tell a connection that failed by words alone, each by its own. */
const isNetworkError = ({ name, message }: Fields): boolean =>
	name === "TypeError" && /fetch|network|load failed/i.test(asText(message));
