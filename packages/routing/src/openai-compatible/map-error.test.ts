import { describe, expect, it } from "vitest";
import { readErrorAnswer, readFailure } from "./map-error";

const openAi = (code: string | null, message = "", rest: object = {}): string =>
	JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code, ...rest } });

const SENT = ["model", "messages", "max_tokens", "stream", "stream_options"];
const codeOf = (status: number, body: string) => readErrorAnswer(status, body, SENT).code;

describe("an answer with an error", () => {
	it.each([
		["invalid_credential", 401, openAi("invalid_api_key", "Incorrect API key provided: sk-abc***")],
		["invalid_credential", 401, "<html>"],
		["invalid_credential", 400, openAi(null, "API key not valid. Please pass a valid API key.")],
		["permission", 403, openAi("unsupported_country_region_territory")],
		["model_not_found", 404, openAi("model_not_found", "The model `x` does not exist")],
		["model_not_found", 404, '{"error":{"message":"model \\"x\\" not found, try pulling it first"}}'],
		["model_not_found", 404, '{"error":{"code":"DeploymentNotFound","message":"…"}}'],
		["model_not_found", 400, '{"object":"error","message":"The model x does not exist.","code":400}'],
		["bad_response", 404, '{"detail":"Not Found"}'],
		["bad_response", 405, ""],
		["rate_limited", 429, openAi("rate_limit_exceeded", "You can add a payment method at …/billing.")],
		["rate_limited", 429, ""],
		["rate_limited", 413, openAi("rate_limit_exceeded", "Request too large: tokens per minute")],
		["quota", 429, openAi("insufficient_quota", "You exceeded your current quota")],
		["quota", 402, '{"error":{"message":"Insufficient Balance","code":"invalid_request_error"}}'],
		["context_length", 400, openAi("context_length_exceeded", "maximum context length is 8192 tokens")],
		["context_length", 400, '{"object":"error","message":"This model\'s maximum context length is 4096"}'],
		["context_length", 413, ""],
		["content_filtered", 400, openAi("content_filter", "The response was filtered")],
		["overloaded", 500, ""],
		["overloaded", 503, '{"error":{"message":"Model is overloaded","type":"service_unavailable"}}'],
		["overloaded", 529, "x"],
		["timeout", 504, "<html>"],
		["timeout", 408, ""],
		["bad_request", 400, openAi(null, "you must provide a model parameter")],
		["bad_request", 422, '{"message":{"detail":[{"loc":["body","n"]}]}}'],
		["bad_request", 418, "null"],
	])("%s: %i %s", (code, status, body) => {
		expect(codeOf(status, body)).toBe(code);
	});
});

describe("the field that was refused", () => {
	it.each([
		[400, openAi("unsupported_parameter", "Unsupported parameter: 'max_tokens'"), "max_tokens", true],
		[
			422,
			'{"message":{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"]}]}}',
			"stream_options",
			true,
		],
		[400, openAi(null, "Unrecognized request argument supplied: stream_options"), "stream_options", true],
		[400, openAi("integer_above_max_value", "Too large", { param: "max_tokens" }), "max_tokens", false],
		[400, openAi(null, "Use a model that can stream messages"), undefined, undefined],
		[400, openAi(null, "Unsupported parameter: 'logprobs'"), undefined, undefined],
	])("%i %s", (status, body, field, isUnknownField) => {
		expect(readErrorAnswer(status, body, SENT)).toEqual({
			code: "bad_request",
			...(field === undefined ? {} : { field, isUnknownField }),
		});
	});
});

describe("an error with status 200", () => {
	it.each([
		[{ choices: [] }, false, undefined],
		[{ error: null, choices: [] }, false, undefined],
		[{ error: { message: "x", code: 502 } }, false, "overloaded"],
		[{ error: { message: "x", code: 400 } }, false, "bad_request"],
		[{ error: "rate limit reached" }, false, "rate_limited"],
		[{ error: { type: "server_error" } }, false, "overloaded"],
		[{ error: { code: "content_filter" } }, false, "content_filtered"],
		[{ object: "error", message: "x", code: 401 }, false, "invalid_credential"],
		[{}, true, "overloaded"],
	])("%j", (body, isError, code) => {
		expect(readFailure(body, isError)?.code).toBe(code);
	});
});
