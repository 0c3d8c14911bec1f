import { asObject, asText, type Fields, parseObject } from "../http/lenient-json";
import type { VendorFailure } from "../http/to-provider-error";
import type { ProviderErrorCode } from "../provider-error";
import {
	findField,
	findLocated,
	readPath,
	toUnsupportedFeature,
	type UnsupportedFeature,
} from "./unsupported-feature";

/** Failure of a response that does not have OpenAI's format. */
export const UNEXPECTED_FORMAT: VendorFailure = { code: "bad_response" };
export const MODEL_FAILED: VendorFailure = { code: "overloaded" };

/** Vendor's error text, in lower case, and its status: that of the response, or the one in the error. */
interface ErrorText {
	readonly status?: number | undefined;
	readonly text: string;
}

/**
 * The error in a body or event that came with status 200, if it is one: `{error}`, `{object: "error"}`, or anything in
 * an `error` event.
 */
export function readFailure(body: Fields, isError = false): VendorFailure | undefined {
	if (!isError && !body.error && body.object !== "error") return undefined;
	return { code: toCode(readErrorText(body)) };
}

/** An answer that is no success. */
export interface ParsedError {
	readonly status: number;
	readonly failure: VendorFailure;
	/** Feature that the endpoint refused and can be asked without. */
	readonly feature?: UnsupportedFeature;
	/** Vendor's error text, in lower case; used only for decisions. */
	readonly text: string;
}

/** Parses an answer with a status other than 200. */
export function parseError(status: number, body: string, sent: Fields): ParsedError {
	// Proxies send text, and Gemini lists: their words are all that counts.
	const errorBody = parseObject(body) ?? { message: body };
	const { text } = readErrorText(errorBody);
	const code = toCode({ status, text });
	const locatedError = { text, path: readPath(asObject(errorBody.error), errorBody) };
	const isFieldError = code === "bad_request" || status === NOT_IMPLEMENTED;
	const field = isFieldError ? findField(locatedError, sent) : undefined;
	if (field === undefined) return { status, failure: { code }, text };
	const feature = toUnsupportedFeature(field, locatedError, sent);
	return { status, failure: { code: "bad_request", field }, ...(feature && { feature }), text };
}

/** The error that such an answer stands for. */
export const readErrorResponse = (status: number, body: string, sent: object): VendorFailure =>
	parseError(status, body, asObject(sent)).failure;

const NOT_IMPLEMENTED = 501;

function readErrorText(body: Fields): ErrorText {
	const error = typeof body.error === "object" && body.error !== null ? asObject(body.error) : body;
	const status = [error.code, error.status, error.status_code]
		.map(Number)
		.find((code) => code >= 400 && code < 600);
	const { code, type, message, param } = error;
	const parts = [code, type, message, body.error, body.detail, param && `'${asText(param)}'`];
	return { status, text: parts.map(toText).join("\n").toLowerCase() };
}

/** Converts a value to text; a value that is nested too deep to be written becomes an empty text. */
function toText(value: unknown): string {
	if (typeof value === "string") return stripEcho(value);
	try {
		return JSON.stringify(value, (_name, inner) => dropEcho(inner)) ?? "";
	} catch {
		return "";
	}
}

/**
 * Drops the parts of an error that repeat the request. Of the faults that pydantic lists, the first counts, and only
 * its type and message are kept.
 */
function dropEcho(value: unknown): unknown {
	if (typeof value === "string") return stripEcho(value);
	const item = findLocated(value);
	return item === undefined ? value : [item.type, item.msg];
}

/** Drops the parts that repeat the request where pydantic's list comes as text, in JSON or as Python writes it. */
const stripEcho = (text: string): string =>
	/\bloc\b|input_value=/.test(text) ? text.replace(ECHOED_INPUT, "") : text;
const ECHOED_INPUT = /(["'](input|ctx|url)\\?["']:|\binput_value=|\},\s*\{).*/s;

/**
 * Rules that map an error to a code by a pattern of its status and, from the next line, its text; the first match
 * counts. Text comes before the status where vendors use one status for several things.
 */
const RULES: readonly (readonly [ProviderErrorCode, RegExp])[] = [
	["content_filtered", /content[_ ](filter|policy|management)|responsibleai/],
	["rate_limited", /rate_limit_exceeded|tokens per min/],
	[
		"quota",
		/^402|insufficient[_ ](quota|balance|credit|funds)|billing[_ ](hard_limit|details)|credit balance/,
	],
	[
		"context_length",
		/^413|context[_ ](length|window|size)|maximum (context|prompt)|(prompt|input) is too long|too many (input )?tokens|exceeds? the maximum number of (input )?tokens|max_new_tokens` must be <=/,
	],
	["invalid_credential", /^401|(invalid|incorrect)[_ ]api[_ ]key|api[_ ]key[_ ](not valid|invalid)/],
	["rate_limited", /^429|rate.?limit|too many requests/],
	["permission", /^403/],
	["model_not_found", /^404.*model|model_not_found|deploymentnotfound|model \S+ (does not exist|not found)/s],
	["bad_response", /^40[45]/],
	["timeout", /^(408|504)/],
	// Of text-generation-inference and its siblings: the model failed.
	["overloaded", /^424/],
	["bad_request", /^[1-4]/],
];

const toCode = ({ status, text }: ErrorText): ProviderErrorCode =>
	RULES.find(([, pattern]) => pattern.test(`${status ?? ""}\n${text}`))?.[0] ?? "overloaded";
