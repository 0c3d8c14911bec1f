import { describe, expect, it } from "vitest";
import { parseError, readErrorResponse, readFailure } from "./map-error";

const openAi = (code: string | null, message = "", rest: object = {}): string =>
	JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code, ...rest } });

const codeOf = (status: number, body: string) => readErrorResponse(status, body, {}).code;

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
		[
			"context_length",
			400,
			openAi(null, "This model's maximum prompt length is 131072 but the request contains 2"),
		],
		[
			"context_length",
			400,
			openAi(null, "The input token count exceeds the maximum number of tokens allowed 10"),
		],
		["context_length", 422, '{"error":"`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000"}'],
		["content_filtered", 400, openAi("content_filter", "The response was filtered")],
		["overloaded", 500, ""],
		["overloaded", 503, '{"error":{"message":"Model is overloaded","type":"service_unavailable"}}'],
		["overloaded", 529, "x"],
		["timeout", 504, "<html>"],
		["timeout", 408, ""],
		["bad_request", 400, openAi(null, "you must provide a model parameter")],
		["bad_request", 422, '{"message":{"detail":[{"loc":["body","n"]}]}}'],
		["bad_request", 418, "null"],
		[
			"invalid_credential",
			400,
			'[{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT"}}]',
		],
		["quota", 429, '[{"error":{"code":429,"message":"Check your plan and billing details"}}]'],
		[
			"content_filtered",
			400,
			openAi("content_filter", "…", { innererror: { code: "ResponsibleAIPolicyViolation" } }),
		],
		[
			"context_length",
			422,
			'{"error":"Input validation error: `inputs` tokens: too many tokens","error_type":"validation"}',
		],
		["overloaded", 424, '{"error":"Request failed during generation","error_type":"generation"}'],
		["bad_request", 422, '{"error":"Input validation error","error_type":"validation"}'],
		["bad_request", 422, '{"error":"Tool error: No tool found","error_type":"tool_error"}'],
	])("%s: %i %s", (code, status, body) => {
		expect(codeOf(status, body)).toBe(code);
	});
});

const MESSAGES = [{ role: "user", content: "Hello?" }];
const SENT = {
	model: "m",
	messages: [
		...MESSAGES,
		{
			role: "assistant",
			content: null,
			reasoning_content: "Hm.",
			tool_calls: [{ id: "1", type: "function", function: {}, extra_content: {} }],
		},
	],
	tools: [],
	tool_choice: "none",
	temperature: 0,
	max_tokens: 9,
	stream: true,
	stream_options: { include_usage: true },
};
const FORMAT = {
	model: "m",
	messages: MESSAGES,
	response_format: { type: "json_schema", json_schema: { name: "output", schema: {}, strict: true } },
};
const LOOSE = {
	...FORMAT,
	response_format: { type: "json_schema", json_schema: { name: "output", schema: {}, strict: false } },
};
const OBJECT = { ...FORMAT, response_format: { type: "json_object" } };
const fastApi = (...loc: unknown[]): string =>
	JSON.stringify({
		detail: [{ type: "extra_forbidden", loc: ["body", ...loc], msg: "Extra inputs are not permitted" }],
	});
const mistral = (...loc: unknown[]): string =>
	JSON.stringify({ object: "error", message: JSON.parse(fastApi(...loc)), type: "invalid_request_error" });
const vllm = (message: string): string =>
	JSON.stringify({ object: "error", message, type: "BadRequestError", param: null, code: 400 });

describe("what was refused, in the words of vendors", () => {
	it.each([
		[
			"max_tokens",
			400,
			openAi(
				"unsupported_parameter",
				"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
				{ param: "max_tokens" },
			),
		],
		[
			"temperature",
			400,
			openAi(
				"unsupported_value",
				"Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
				{ param: "temperature" },
			),
		],
		[
			"temperature",
			400,
			openAi(null, "invalid temperature: only 1 is allowed for this model", { param: "temperature" }),
		],
		["temperature", 400, openAi(null, "`temperature` is deprecated for this model.")],
		[
			"stream",
			400,
			openAi("unsupported_value", "Your organization must be verified to stream this model.", {
				param: "stream",
			}),
		],
		["stream", 400, '{"message":"The model is unsupported for streaming."}'],
		["stream_options", 400, openAi(null, "Unrecognized request argument supplied: stream_options")],
		[
			"stream_options",
			400,
			openAi(null, "Additional properties are not allowed ('stream_options' was unexpected)"),
		],
		["stream_options", 422, fastApi("stream_options")],
		["stream_options", 422, mistral("stream_options", "include_usage")],
		["stream_options", 501, '{"error":"stream_options is not implemented"}'],
		[
			"stream_options",
			400,
			'[{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \\"stream_options\\": Cannot find field.","status":"INVALID_ARGUMENT"}}]',
		],
		["max_tokens", 422, mistral("max_tokens")],
		[
			"max_tokens",
			422,
			'{"object":"error","message":"{\\"detail\\":[{\\"type\\":\\"extra_forbidden\\",\\"loc\\":[\\"body\\",\\"max_tokens\\"],\\"msg\\":\\"Extra inputs are not permitted\\"}]}"}',
		],
		[
			"max_tokens",
			400,
			vllm(
				"[{'type': 'extra_forbidden', 'loc': ('body', 'max_tokens'), 'msg': 'Extra inputs are not permitted', 'input': 800}]",
			),
		],
		[
			"tool_choice",
			400,
			vllm(
				"1 validation error for ChatCompletionRequest\ntool_choice\n  Extra inputs are not permitted [type=extra_forbidden]",
			),
		],
		["tool_choice", 400, openAi(null, "property 'tool_choice' is unsupported")],
		[
			"temperature",
			422,
			"Failed to deserialize the JSON body into the target type: unknown field `temperature`, expected one of `model`, `messages` at line 1 column 9",
		],
		["reasoning_content", 422, mistral("messages", 1, "assistant", "reasoning_content")],
		[
			"reasoning_content",
			400,
			openAi(
				null,
				"'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
				{ param: "messages.1" },
			),
		],
		[
			"extra_content",
			400,
			openAi("unknown_parameter", "Unknown parameter: 'messages[1].tool_calls[0].extra_content'.", {
				param: "messages[1].tool_calls[0].extra_content",
			}),
		],
	])("%s: %i %s", (feature, status, body) => {
		const { failure, feature: found } = parseError(status, body, SENT);
		expect(failure).toEqual({ code: "bad_request", field: feature });
		expect(found).toEqual({ feature, isPermanent: feature !== "stream" });
	});

	it.each([
		[
			"json_schema",
			true,
			LOOSE,
			400,
			openAi("invalid_request_error", "This response_format type is unavailable now"),
		],
		[
			"json_schema",
			true,
			LOOSE,
			422,
			"Failed to deserialize the JSON body into the target type: response_format: response_format.type `json_schema` is unavailable now at line 1",
		],
		[
			"json_schema",
			true,
			FORMAT,
			400,
			openAi(
				null,
				"Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
				{ param: "response_format" },
			),
		],
		[
			"json_schema",
			true,
			FORMAT,
			400,
			openAi(null, "This model does not support response format `json_schema`.", {
				param: "response_format",
			}),
		],
		["response_format", true, FORMAT, 422, mistral("response_format")],
		["strict", true, FORMAT, 422, mistral("response_format", "json_schema", "strict")],
		[
			"strict",
			false,
			FORMAT,
			400,
			openAi(null, "Invalid schema for response_format 'output': In context=(), 'oneOf' is not permitted.", {
				param: "response_format",
			}),
		],
		[
			"json_schema",
			false,
			LOOSE,
			400,
			openAi(
				null,
				"invalid schema for response format: response_format/json_schema/a: minItems is not supported",
			),
		],
		[
			"response_format with tools",
			true,
			{ ...LOOSE, tools: [] },
			400,
			openAi(null, "json mode cannot be combined with tool/function calling"),
		],
		[
			"response_format with tools",
			true,
			{ ...LOOSE, tools: [] },
			400,
			'[{"error":{"code":400,"message":"Function calling with a response mime type: \'application/json\' is unsupported"}}]',
		],
		[
			"json_object",
			false,
			OBJECT,
			400,
			openAi(null, "'response_format.type' must be 'json_schema' or 'text'"),
		],
		[
			"response_format",
			true,
			OBJECT,
			400,
			'{"code":"Client specified an invalid argument","error":"The response_format parameter is unsupported at the moment."}',
		],
		[
			"json_schema",
			false,
			LOOSE,
			422,
			fastApi("response_format", "json_schema", "schema", "properties", "a", "deprecated"),
		],
		["json_schema", true, LOOSE, 422, fastApi("response_format", "json_schema")],
		["response_format", true, LOOSE, 400, vllm("response_format is not supported by this provider")],
		[
			"response_format",
			true,
			LOOSE,
			400,
			openAi(null, "Unrecognized request argument supplied: response_format"),
		],
	])("%s, for good: %s", (feature, isPermanent, sent, status, body) => {
		const { failure, feature: found } = parseError(status, body, sent);
		expect(failure.code).toBe("bad_request");
		expect(found).toEqual({ feature, isPermanent });
	});

	it.each([
		[
			"tools",
			400,
			vllm('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
		],
		["tools", 400, openAi(null, "llama3 does not support tools")],
		[
			"messages",
			400,
			openAi(
				"unsupported_value",
				"Unsupported value: 'messages[0].role' does not support 'system' with this model.",
				{ param: "messages[0].role" },
			),
		],
		["model", 422, fastApi("model")],
		["max_tokens", 400, openAi("integer_above_max_value", "Too large", { param: "max_tokens" })],
		["max_tokens", 400, openAi(null, "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]")],
		[undefined, 400, openAi(null, "Use a model that can stream messages")],
		[undefined, 400, openAi(null, "Unsupported parameter: 'logprobs'")],
		[undefined, 400, openAi(null, "'max_completion_tokens' is not supported")],
		[undefined, 500, openAi(null, "Unsupported parameter: 'max_tokens'")],
	])("cannot be done without: %s: %i %s", (field, status, body) => {
		const { failure, feature } = parseError(status, body, SENT);
		expect(failure.field).toBe(field);
		expect(feature).toBeUndefined();
	});

	it.each([
		"The provided JSON schema contains features not supported by xgrammar.",
		"Unsupported JSON schema fields: {'minimum'}",
		"JSON schema is not supported: 'pattern'",
		"response_format: minItems is not supported",
		"Unsupported keyword 'pattern' in response_format",
		"response_format.json_schema.schema.properties.a: pattern is not supported",
	])("a schema, which says nothing of others: %s", (message) => {
		const { feature } = parseError(400, vllm(message), LOOSE);
		expect(feature).toEqual({ feature: "json_schema", isPermanent: false });
	});

	it.each([
		["what was sent", { loc: ["body", "temperature"], msg: "Too high", input: { a: "not supported" } }],
		["its context", { loc: ["body", "temperature"], msg: "Too high", ctx: { error: "unsupported" } }],
		["a link", { loc: ["body", "temperature"], msg: "Too high", url: "https://x.example/unsupported" }],
	])("is not what else stands beside a fault: %s", (_, item) => {
		const other = { loc: ["body", "stream_options"], type: "extra_forbidden", msg: "Extra inputs" };
		const quoted = `[${JSON.stringify({ type: "x", ...item })}, ${JSON.stringify(other)}]`;
		for (const detail of [[item, other], quoted, quoted.replaceAll('"', "'")])
			for (const body of [{ detail }, { message: { detail } }, { error: { message: detail } }]) {
				const { failure, feature } = parseError(422, JSON.stringify(body), SENT);
				expect(failure).toMatchObject({ code: "bad_request", field: "temperature" });
				expect(feature).toBeUndefined();
			}
	});

	it("may be strictness with one schema, which says nothing of others", () => {
		const message = "Invalid schema: where `strict` is true, 'pattern' is not permitted.";
		expect(parseError(400, vllm(message), FORMAT).feature).toEqual({ feature: "strict", isPermanent: false });
	});

	it("is not the value that a list of faults in words repeats", () => {
		const text =
			"1 validation error\ntemperature\n  Too high [type=x, input_value='unsupported', input_type=str]";
		expect(parseError(400, vllm(text), SENT).feature).toBeUndefined();
	});

	it("is not told by what is nested without end", () => {
		const deep = `{"detail":${"[".repeat(30_000)}${"]".repeat(30_000)}}`;
		expect(parseError(400, deep, SENT)).toMatchObject({ failure: { code: "bad_request" } });
	});

	it("is not what a message quotes", () => {
		const body = openAi(null, "Unsupported value", { param: "messages[0].content" });
		expect(
			parseError(400, body.replace("Unsupported", "Unsupported: 'temperature'"), SENT).failure.field,
		).toBe("messages");
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
