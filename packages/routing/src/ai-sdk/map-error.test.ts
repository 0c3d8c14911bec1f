import { inspect } from "node:util";
import {
	AISDKError,
	APICallError,
	InvalidArgumentError,
	InvalidResponseDataError,
	JSONParseError,
	LoadAPIKeyError,
	LoadSettingError,
	NoSuchModelError,
	UnsupportedFunctionalityError,
} from "@ai-sdk/provider";
import { ConfigurationError, StemmaError } from "@stemma/core/errors";
import { describe, expect, it } from "vitest";
import { ProviderError } from "../provider-error";
import { mapError } from "./map-error";

const SECRET = "sk-secret-prompt";
const ENDPOINT = {
	vendorHost: "api.acme.test",
	model: "m",
	hasKey: true,
	api: "models of the AI SDK",
	baseUrlHint: "Check the `baseURL`.",
};

const CIRCULAR: { readonly message: string; self?: object } = { message: SECRET };
CIRCULAR.self = CIRCULAR;

function map(error: unknown, isStreaming = false): ProviderError {
	const mapped = mapError(error, ENDPOINT, isStreaming);
	if (!ProviderError.is(mapped)) throw mapped;
	expect(`${JSON.stringify(mapped)}${inspect(mapped, { depth: 12 })}`).not.toContain(SECRET);
	return mapped;
}

const apiError = (options: Partial<ConstructorParameters<typeof APICallError>[0]>): APICallError =>
	new APICallError({
		message: SECRET,
		url: `https://x/?key=${SECRET}`,
		requestBodyValues: { SECRET },
		...options,
	});
const httpError = (statusCode: number, body: unknown, headers: Record<string, string> = {}): APICallError =>
	apiError({ statusCode, responseBody: JSON.stringify(body), responseHeaders: headers });

describe("a refusal", () => {
	it.each([
		["invalid_credential", 401, { error: { type: "authentication_error", message: SECRET } }],
		["permission", 403, {}],
		["model_not_found", 404, { error: { type: "not_found_error", message: "model: claude-0" } }],
		["context_length", 400, { error: { message: "prompt is too long: 200001 tokens > 200000" } }],
		["quota", 400, { error: { message: "Your credit balance is too low" } }],
		["rate_limited", 429, { type: "error", error: { type: "rate_limit_error" } }],
		["overloaded", 529, { error: { type: "overloaded_error" } }],
		["timeout", 504, {}],
		["bad_request", 422, { message: SECRET }],
	] as const)("%s of status %i: %j", (code, status, body) => {
		expect(map(httpError(status, body))).toMatchObject({ code, status, vendorHost: "api.acme.test" });
	});

	it("asks to wait", () => {
		const { retryAfterMs, hint } = map(httpError(429, {}, { "retry-after": "7" }));
		expect([retryAfterMs, hint]).toEqual([7_000, expect.stringContaining("in 7 s")]);
		expect(map(httpError(429, {}, { "retry-after-ms": "80" })).retryAfterMs).toBe(80);
		expect(map(httpError(429, {}, { "retry-after": "\n" })).retryAfterMs).toBeUndefined();
	});

	it("is told by what stands in it, not by its class", () => {
		const gateway = {
			name: "GatewayModelNotFoundError",
			type: "model_not_found",
			statusCode: 404,
			message: SECRET,
		};
		expect(map(Object.assign(new Error(SECRET), gateway)).code).toBe("model_not_found");
	});
});

describe("a call without an answer", () => {
	const network = (code: string) => Object.assign(new Error(`connect ${SECRET}`), { code });

	it.each([
		["unreachable", network("ECONNREFUSED")],
		["timeout", network("UND_ERR_HEADERS_TIMEOUT")],
	])("is %s", (code, cause) => {
		expect(map(apiError({ cause }))).toMatchObject({ code, cause: { name: "Error", code: cause.code } });
	});

	it("is known by the code of the system, however deep it lies", () => {
		const cause = new TypeError(SECRET, { cause: network("ETIMEDOUT") });
		expect(map(apiError({ cause }))).toMatchObject({ code: "timeout", cause: { code: "ETIMEDOUT" } });
	});

	it.each(["Failed to fetch", "Load failed", "NetworkError when attempting to fetch resource."])(
		"is known by the words of a browser: %s",
		(message) => {
			expect(map(new TypeError(message)).code).toBe("unreachable");
		},
	);

	it("may be one that somebody else gave up", () => {
		expect(map(new DOMException("x", "TimeoutError")).code).toBe("timeout");
	});
});

describe("an answer", () => {
	it.each([
		["bad_response", new JSONParseError({ text: SECRET, cause: new SyntaxError(SECRET) })],
		["stream_truncated", new TypeError(`terminated ${SECRET}`)],
	])("that is a success is %s by its cause", (code, cause) => {
		expect(map(apiError({ statusCode: 200, cause })).code).toBe(code);
	});

	it.each([
		["stream_truncated", new TypeError("terminated")],
		["stream_truncated", new InvalidResponseDataError({ data: undefined, message: SECRET })],
		["bad_response", new InvalidResponseDataError({ data: { SECRET } })],
		["rate_limited", { type: "rate_limit_error", message: SECRET }],
		["rate_limited", httpError(429, {})],
		["overloaded", { message: SECRET, type: "server_error", code: null }],
		["rate_limited", { type: "error", error: { type: "rate_limit_error", message: SECRET } }],
		["overloaded", SECRET],
		["overloaded", CIRCULAR],
		["overloaded", undefined],
	])("breaks in the middle: %s", (code, error) => {
		expect(map(error, true).code).toBe(code);
	});
});

describe("the AI SDK itself refuses", () => {
	it.each([
		["invalid_credential", new LoadAPIKeyError({ message: SECRET })],
		["model_not_found", new NoSuchModelError({ modelId: SECRET, modelType: "languageModel" })],
		["bad_request", new UnsupportedFunctionalityError({ functionality: SECRET })],
		["bad_request", new InvalidArgumentError({ argument: SECRET, message: SECRET })],
	])("%s", (code, error) => {
		const mapped = map(error);
		expect([mapped.code, mapped.cause]).toEqual([code, undefined]);
	});

	it("for want of a key, in other words than a wrong one", () => {
		expect(map(new LoadAPIKeyError({ message: "x" })).message).toBe("api.acme.test asks for an API key.");
	});

	it("for want of a setting", () => {
		const mapped = mapError(new LoadSettingError({ message: SECRET }), ENDPOINT, false);
		expect(ConfigurationError.is(mapped)).toBe(true);
		expect(JSON.stringify(mapped)).not.toContain(SECRET);
	});
});

describe("an error around others", () => {
	const wrap = (name: string, rest: object): Error =>
		Object.assign(new AISDKError({ name, message: SECRET }), rest);
	const retry = (...errors: readonly unknown[]): Error =>
		wrap("AI_RetryError", { errors, lastError: errors.at(-1) });
	const unauthorized = httpError(401, { error: { message: SECRET } });
	const looped = new Error(SECRET);
	looped.cause = new Error(SECRET, { cause: looped });

	it.each([
		["tries", retry(httpError(500, {}), unauthorized), "invalid_credential"],
		[
			"tries, without the last",
			wrap("AI_RetryError", { errors: [httpError(500, {}), unauthorized] }),
			"invalid_credential",
		],
		["what middleware throws", new Error(SECRET, { cause: unauthorized }), "invalid_credential"],
		["both", retry(httpError(500, {}), new Error(SECRET, { cause: unauthorized })), "invalid_credential"],
		[
			"text that is no object",
			wrap("AI_NoObjectGeneratedError", {
				text: SECRET,
				cause: new JSONParseError({ text: SECRET, cause: SECRET }),
			}),
			"bad_response",
		],
		["text, and nothing else", wrap("AI_NoObjectGeneratedError", { text: SECRET }), "bad_response"],
		["a network that fails", retry(new TypeError("fetch failed")), "unreachable"],
		["somebody who gave up", new Error(SECRET, { cause: new DOMException(SECRET, "AbortError") }), "timeout"],
		["itself", looped, "bad_response"],
	])("is what lies in it: %s", (_, error, code) => {
		expect(map(error).code).toBe(code);
	});

	it("keeps the status and the wait of what lies in it", () => {
		const limited = httpError(429, {}, { "retry-after": "7" });
		const mapped = map(retry(limited));
		expect(mapped).toMatchObject({ status: 429, retryAfterMs: 7_000 });
		expect(mapped.cause).toBeUndefined();
	});

	it("is ours where one of ours lies in it", () => {
		const stemmaError = new StemmaError("Not there.", { code: "address_not_allowed" });
		expect(mapError(retry(httpError(500, {}), apiError({ cause: stemmaError })), ENDPOINT, false)).toBe(
			stemmaError,
		);
	});

	it("may want a setting", () => {
		const error = new Error(SECRET, { cause: new LoadSettingError({ message: SECRET }) });
		expect(ConfigurationError.is(mapError(error, ENDPOINT, false))).toBe(true);
	});
});

it("keeps of what nobody knows its name and its code alone", () => {
	const error = Object.assign(new RangeError(SECRET, { cause: SECRET }), {
		code: "ERR_OUT_OF_RANGE",
		data: SECRET,
	});
	const { code, cause } = map(error);
	expect(code).toBe("bad_response");
	expect(cause).toMatchObject({ name: "RangeError", code: "ERR_OUT_OF_RANGE" });
	expect(cause).not.toHaveProperty("data");
	const odd = Object.assign(new Error(SECRET), { name: SECRET, code: SECRET });
	expect(map(odd).cause).toMatchObject({ name: "Error" });
	expect(map(odd).cause).not.toHaveProperty("code");
});
