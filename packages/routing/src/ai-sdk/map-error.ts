import { ConfigurationError, isStemmaError } from "@stemma/core/errors";
import { toErrorTrace } from "../http/error-trace";
import { asObject, asText, type Fields } from "../http/fields";
import { readRetryAfter } from "../http/retry";
import {
	type Endpoint,
	type ErrorCircumstances,
	toProviderError,
	type VendorFailure,
} from "../http/to-provider-error";
import { readErrorAnswer, readFailure } from "../openai-compatible/map-error";
import type { ProviderErrorCode } from "../provider-error";
import { toErrorChain } from "./error-chain";

/** As much of an error's body as is looked at, in UTF-16 code units. */
const LONGEST_BODY = 64 * 1024;

interface ReadError {
	readonly failure: VendorFailure;
	readonly circumstances?: ErrorCircumstances;
}

/**
 * What a call to a model has thrown, or an error in its stream, in our words alone. None is kept as the cause as it came:
 * they hold the prompt, and what the vendor said. Of an error around others, the first that tells something counts.
 *
 * @param isAnswering - whether the answer had begun.
 * @returns a `ProviderError`; a `ConfigurationError` where a setting of the AI SDK provider is missing; an error of
 * ours that a `fetch` of one's own has thrown on purpose (an address that is not allowed, say) as it is.
 */
export function mapError(error: unknown, endpoint: Endpoint, isAnswering: boolean): Error {
	const chain = toErrorChain(error);
	const ours: unknown = chain.find(isStemmaError);
	if (isStemmaError(ours)) return ours;
	const told = chain.find(isTelling) ?? error;
	const { name } = asObject(told);
	if (name === "AI_LoadSettingError")
		return new ConfigurationError("The AI SDK provider of the model lacks a setting.", {
			hint: "Set what its documentation asks for (a base URL, a region, a project) where the provider is made.",
		});
	const hasKey = name !== "AI_LoadAPIKeyError";
	const { failure, circumstances } = readError(told, isAnswering);
	const hint = HINTS[failure.code];
	return toProviderError({ ...failure, ...(hint && { hint }) }, { ...endpoint, hasKey }, circumstances);
}

/** The words for all providers name options that the AI SDK has elsewhere. */
const HINTS: { readonly [code in ProviderErrorCode]?: string } = {
	invalid_credential:
		"Give the AI SDK provider of the model a valid key: its `apiKey`, or the environment variable that it reads.",
	model_not_found: "Make the AI SDK model with an id that the vendor lists, and that the key may use.",
	unreachable: "Check the `baseURL` of the AI SDK provider, and that this machine may connect to it.",
};

const isRefusal = (statusCode: unknown): statusCode is number =>
	typeof statusCode === "number" && statusCode >= 400;

const isTelling = ({ name, statusCode }: Fields): boolean =>
	isRefusal(statusCode) ||
	name === "AI_APICallError" ||
	name === "AI_LoadSettingError" ||
	toNamedCode(name) !== undefined;

const toNamedCode = (name: unknown): ProviderErrorCode | undefined =>
	Object.hasOwn(CODES, asText(name)) ? CODES[asText(name)] : undefined;

function readError(error: unknown, isAnswering: boolean): ReadError {
	const fields = asObject(error);
	const { name, statusCode } = fields;
	if (isRefusal(statusCode)) return readRefusal(fields, statusCode);
	if (name === "AI_APICallError") return readBrokenCall(fields, isAnswering);
	if (name === "AI_InvalidResponseDataError" && isAnswering && fields.data === undefined) return CUT_OFF;
	const code = toNamedCode(name);
	if (code !== undefined) return { failure: { code } };
	if (typeof fields.stack !== "string") return { failure: readComplaint(error) };
	return readUnknown(toErrorChain(error), isAnswering);
}

/** What a vendor says in its stream, as it came; some wrap it once more. */
function readComplaint(error: unknown): VendorFailure {
	const { code, type, message } = asObject(asObject(error).error ?? error);
	const said = typeof error === "string" ? error : { code, type, message };
	return readFailure({ error: said }, true) ?? { code: "overloaded" };
}

/** `APICallError` of all providers, and the errors of the AI SDK's gateway, which have no body but a `type`. */
function readRefusal({ responseBody, responseHeaders, type, message }: Fields, status: number): ReadError {
	const body = asText(responseBody) || JSON.stringify({ error: { type, message } });
	const retryAfterMs = readRetryAfter(toHeaders(asObject(responseHeaders)), Date.now());
	return {
		failure: { code: readErrorAnswer(status, body.slice(0, LONGEST_BODY), []).code },
		circumstances: { status, retryAfterMs },
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

/** Without a status there was no answer; with that of a success it broke off, or could not be read. */
function readBrokenCall({ statusCode, cause }: Fields, isAnswering: boolean): ReadError {
	if (asText(asObject(cause).name).startsWith("AI_")) return { failure: { code: "bad_response" } };
	const trace = toErrorTrace(toErrorChain(cause));
	const circumstances = trace === undefined ? {} : { cause: trace };
	if (typeof statusCode === "number" || isAnswering) return { ...CUT_OFF, circumstances };
	const isTimeout = /TIMEOUT|TIMEDOUT/.test(trace?.code ?? "");
	return { failure: { code: isTimeout ? "timeout" : "unreachable" }, circumstances };
}

/** OpenAI-like providers say so when a stream ends without a reason. */
const CUT_OFF: ReadError = { failure: { code: "stream_truncated" } };

/** By name: there may be several copies of `@ai-sdk/provider`, of several versions. */
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

function readUnknown(chain: readonly Fields[], isAnswering: boolean): ReadError {
	const code = chain.some(isNetworkError) ? "unreachable" : "bad_response";
	return {
		failure: { code: isAnswering ? "stream_truncated" : code },
		circumstances: { cause: toErrorTrace(chain) },
	};
}

/** Browsers tell a connection that failed by words alone, each by its own. */
const isNetworkError = ({ name, message }: Fields): boolean =>
	name === "TypeError" && /fetch|network|load failed/i.test(asText(message));
