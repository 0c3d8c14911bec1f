import {
	APICallError,
	InvalidArgumentError,
	InvalidResponseDataError,
	JSONParseError,
	LoadAPIKeyError,
	LoadSettingError,
	NoSuchModelError,
	UnsupportedFunctionalityError,
} from "@ai-sdk/provider";
import { ConfigurationError } from "@stemma/core/errors";
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

function map(error: unknown, isAnswering = false): ProviderError {
	const mapped = mapError(error, ENDPOINT, isAnswering);
	if (!ProviderError.is(mapped)) throw mapped;
	expect(`${JSON.stringify(mapped)}${mapped.stack}`).not.toContain(SECRET);
	return mapped;
}

const apiError = (options: Partial<ConstructorParameters<typeof APICallError>[0]>): APICallError =>
	new APICallError({
		message: SECRET,
		url: `https://x/?key=${SECRET}`,
		requestBodyValues: { SECRET },
		...options,
	});
const refusal = (statusCode: number, body: unknown, headers: Record<string, string> = {}): APICallError =>
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
		expect(map(refusal(status, body))).toMatchObject({ code, status, vendorHost: "api.acme.test" });
	});

	it("asks to wait", () => {
		const { retryAfterMs, hint } = map(refusal(429, {}, { "retry-after": "7" }));
		expect([retryAfterMs, hint]).toEqual([7_000, expect.stringContaining("in 7 s")]);
		expect(map(refusal(429, {}, { "retry-after-ms": "80" })).retryAfterMs).toBe(80);
		expect(map(refusal(429, {}, { "retry-after": "\n" })).retryAfterMs).toBeUndefined();
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
	const network = (code: string) => Object.assign(new Error("connect"), { code });

	it.each([
		["unreachable", network("ECONNREFUSED")],
		["timeout", network("UND_ERR_HEADERS_TIMEOUT")],
	])("is %s", (code, cause) => {
		expect(map(apiError({ cause }))).toMatchObject({ code, cause });
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
		["stream_truncated", new TypeError("terminated")],
	])("that is a success is %s by its cause", (code, cause) => {
		expect(map(apiError({ statusCode: 200, cause })).code).toBe(code);
	});

	it.each([
		["stream_truncated", new TypeError("terminated")],
		["stream_truncated", new InvalidResponseDataError({ data: undefined, message: SECRET })],
		["bad_response", new InvalidResponseDataError({ data: { SECRET } })],
		["rate_limited", { type: "rate_limit_error", message: SECRET }],
		["rate_limited", refusal(429, {})],
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

it("keeps what nobody knows as the cause", () => {
	const error = new RangeError(SECRET);
	expect(map(error)).toMatchObject({ code: "bad_response", cause: error });
});
