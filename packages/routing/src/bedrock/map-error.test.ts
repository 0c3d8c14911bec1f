import type { MessageHeaders } from "@smithy/eventstream-codec";
import { describe, expect, it } from "vitest";
import { toProviderError } from "../http/to-provider-error";
import { type CallContext, readErrorMessage, readErrorResponse } from "./map-error";

const MODEL = "anthropic.claude-sonnet-4-5-20250929-v1:0";
const CONTEXT = { model: MODEL, region: "eu-central-1" };
const ENDPOINT = {
	vendorHost: "bedrock-runtime.eu-central-1.amazonaws.com",
	model: MODEL,
	hasKey: true,
	api: "Bedrock's Converse operations",
	baseUrlHint: "Check `baseUrl`.",
};
/** Stands for what must never be repeated. */
const LEAK = "arn:aws:iam::123456789012:user/leak";

function read(
	status: number,
	type: string,
	message: string,
	members: object = {},
	context: CallContext = CONTEXT,
) {
	const headers = new Headers(
		type === "" ? {} : { "x-amzn-ErrorType": `${type}:http://internal.amazon.com/coral/com.amazon.bedrock/` },
	);
	const failure = readErrorResponse(
		{ status, headers, text: JSON.stringify({ message, ...members }) },
		context,
	);
	return { failure, error: toProviderError(failure, ENDPOINT, { status }) };
}

type Case = readonly [
	code: string,
	status: number,
	type: string,
	message: string,
	hint: RegExp,
	members?: object,
];
const CASES: readonly Case[] = [
	// Models.
	[
		"model_not_enabled",
		403,
		"AccessDeniedException",
		"You don't have access to the model with the specified model ID.",
		/access to .*console.*`model`/,
	],
	[
		"model_not_enabled",
		404,
		"ResourceNotFoundException",
		"Model use case details have not been submitted for this account. Fill out the Anthropic use case details form before using the model.",
		/use case details.*`model`/,
	],
	["model_not_enabled", 404, "FTUFormNotFilled", "Not filled.", /use case details/],
	[
		"model_not_enabled",
		403,
		"AccessDeniedException",
		"Model access is denied due to IAM user or service role is not authorized to perform the required AWS Marketplace actions (aws-marketplace:ViewSubscriptions, aws-marketplace:Subscribe) to enable access to this model.",
		/`aws-marketplace:Subscribe`/,
	],
	[
		"model_not_enabled",
		403,
		"AccessDeniedException",
		"Access to this model is not available for channel program accounts. Reach out to your AWS Solution Provider.",
		/`model`/,
	],
	[
		"needs_inference_profile",
		400,
		"ValidationException",
		`Invocation of model ID ${MODEL} with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.`,
		/`model`.*`eu\.anthropic\.claude-sonnet-4-5-20250929-v1:0`/,
	],
	[
		"model_not_found",
		400,
		"ValidationException",
		"The provided model identifier is invalid.",
		/`model`.*`baseUrl`/,
	],
	[
		"model_not_found",
		404,
		"ResourceNotFoundException",
		"Could not resolve the foundation model from the provided model identifier.",
		/`model`.*`baseUrl`/,
	],
	[
		"model_not_found",
		404,
		"ResourceNotFoundException",
		"This model version has reached the end of its life.",
		/`model`/,
	],
	// Credentials.
	[
		"permission",
		403,
		"AccessDeniedException",
		`User: ${LEAK} is not authorized to perform: bedrock:InvokeModelWithResponseStream on resource: ${LEAK} because no identity-based policy allows the action`,
		/`bedrock:InvokeModel` and `bedrock:InvokeModelWithResponseStream`.*`credential`.*each of its regions/,
	],
	[
		"permission",
		403,
		"AccessDeniedException",
		`User: ${LEAK} is not authorized to perform: bedrock:InvokeModel on resource: ${LEAK} with an explicit deny in a service control policy`,
		/policy.*denies.*`model`/,
	],
	[
		"permission",
		403,
		"AccessDeniedException",
		`User: ${LEAK} is not authorized to perform: bedrock:CallWithBearerToken`,
		/`bedrock:CallWithBearerToken`/,
	],
	["permission", 400, "ValidationException", "Operation not allowed", /`credential`/],
	[
		"expired_credential",
		403,
		"ExpiredTokenException",
		"The security token included in the request is expired",
		/`credential`/,
	],
	["expired_credential", 403, "AccessDeniedException", "Bearer Token has expired", /`credential`/],
	[
		"invalid_credential",
		403,
		"UnrecognizedClientException",
		"The security token included in the request is invalid.",
		/`credential`.*session token/,
	],
	[
		"invalid_credential",
		403,
		"AccessDeniedException",
		"Authentication failed: Please make sure your API Key is valid.",
		/`credential`.*region of `baseUrl`/,
	],
	[
		"invalid_credential",
		403,
		"MissingAuthenticationTokenException",
		"Missing Authentication Token",
		/`credential`/,
	],
	[
		"invalid_credential",
		403,
		"InvalidSignatureException",
		"The request signature we calculated does not match the signature you provided.",
		/`credential`/,
	],
	[
		"clock_skew",
		403,
		"InvalidSignatureException",
		"Signature expired: 20250130T203827Z is now earlier than 20250130T204131Z (20250130T204631Z - 5 min.)",
		/clock/,
	],
	[
		"clock_skew",
		403,
		"InvalidSignatureException",
		"Signature not yet current: 20250130T213827Z is still later than 20250130T205131Z (20250130T204631Z + 5 min.)",
		/clock/,
	],
	[
		"clock_skew",
		403,
		"RequestTimeTooSkewed",
		"The difference between the request time and the current time is too large.",
		/clock/,
	],
	[
		"wrong_region",
		403,
		"InvalidSignatureException",
		"Credential should be scoped to a valid region. ",
		/`baseUrl`.*`credential`/,
	],
	// How much.
	["rate_limited", 429, "ThrottlingException", "Too many tokens, please wait before trying again.", /limits/],
	[
		"rate_limited",
		429,
		"ThrottlingException",
		"Too many requests, please wait before trying again.",
		/limits/,
	],
	["rate_limited", 424, "ModelErrorException", "The model failed.", /limits/, { originalStatusCode: 429 }],
	[
		"quota",
		429,
		"ThrottlingException",
		"Too many tokens per day, please wait before trying again.",
		/tokens per day.*`model`/,
	],
	[
		"quota",
		400,
		"ServiceQuotaExceededException",
		"You have exceeded the quota.",
		/Service Quotas.*`model`.*`credential`/,
	],
	["overloaded", 429, "ModelNotReadyException", "The model is not ready.", /`model`/],
	["overloaded", 500, "InternalServerException", "The system encountered an unexpected error.", /Try again/],
	[
		"overloaded",
		503,
		"ServiceUnavailableException",
		"Bedrock is unable to process your request.",
		/Try again/,
	],
	["overloaded", 424, "ModelErrorException", "The model failed.", /Try again/, { originalStatusCode: 500 }],
	["overloaded", 424, "ModelStreamErrorException", "The model failed.", /Try again/],
	["timeout", 408, "ModelTimeoutException", "Model has timed out in processing the request.", /Try again/],
	// What was asked for.
	[
		"context_length",
		400,
		"ValidationException",
		"Input is too long for requested model.",
		/`maxOutputTokens`/,
	],
	[
		"context_length",
		400,
		"ValidationException",
		"The model returned the following errors: prompt is too long: 210000 tokens > 200000 maximum",
		/shorter/,
	],
	[
		"context_length",
		400,
		"ValidationException",
		"The model returned the following errors: input length and `max_tokens` exceed context limit: 190000 + 64000 > 200000",
		/shorter/,
	],
	[
		"context_length",
		400,
		"ValidationException",
		"The model returned the following errors: Input Tokens Exceeded: Number of input tokens exceeds maximum length.",
		/shorter/,
	],
	[
		"bad_request",
		400,
		"ValidationException",
		"The maximum tokens you requested exceeds the model limit of 4096. Try again with a maximum tokens value that is lower than 4096.",
		/`maxOutputTokens`/,
	],
	["bad_request", 424, "ModelErrorException", "The model failed.", /`model`/, { originalStatusCode: 400 }],
	[
		"bad_request",
		400,
		"ValidationException",
		"A conversation must alternate between user and assistant roles.",
		/`model`/,
	],
	["bad_request", 409, "ConflictException", "Conflict.", /`model`/],
	["content_filtered", 400, "ValidationException", "Output blocked by content filtering policy", /Rephrase/],
	// What is not Bedrock.
	["bad_response", 404, "", "no Route matched with those values", /`baseUrl`/],
	["invalid_credential", 401, "", "Unauthorized", /`credential`/],
	// Bedrock behind a proxy that drops its headers.
	[
		"clock_skew",
		403,
		"",
		"Signature expired: 20250130T203827Z is now earlier than 20250130T204131Z",
		/clock/,
	],
	["clock_skew", 403, "", "Signature not yet current: 20250130T213827Z is still later", /clock/],
	["wrong_region", 403, "", "Credential should be scoped to a valid region.", /`baseUrl`.*`credential`/],
	[
		"invalid_credential",
		403,
		"",
		"The request signature we calculated does not match the signature you provided.",
		/secret in `credential`/,
	],
	["invalid_credential", 403, "", "The security token included in the request is invalid.", /session token/],
	["expired_credential", 403, "", "The security token included in the request is expired", /`credential`/],
	["permission", 403, "AccessDeniedException", "Signature expired, a policy says.", /`credential`/],
	["permission", 403, "", "Forbidden", /`credential`/],
	["timeout", 504, "", "Gateway Timeout", /Try again/],
	["overloaded", 502, "", "Bad Gateway", /Try again/],
	["context_length", 413, "", "Request Entity Too Large", /shorter/],
];

describe("an answer that is no success", () => {
	it.each(
		CASES.map(
			([code, status, type, message, hint, members = {}]) =>
				[code, status, type, message, hint, members] as const,
		),
	)("%s: %i %s %s", (code, status, type, message, hint, members) => {
		const { error } = read(status, type, message, members);
		expect(error).toMatchObject({ code, status });
		expect(error.hint).toMatch(hint);
		expect(JSON.stringify(error)).not.toContain(LEAK);
	});

	it.each([
		["the region is not known", MODEL, undefined],
		["the region is of no known geography", MODEL, "ca-central-1"],
		["the model has an ARN", `arn:aws:bedrock:eu-central-1::foundation-model/${MODEL}`, "eu-central-1"],
	])("spells no profile out where %s", (_, model, region) => {
		const context = { model, region };
		const { error } = read(400, "ValidationException", "on-demand throughput isn't supported", {}, context);
		expect(error.code).toBe("needs_inference_profile");
		expect(error.hint).toMatch(/`model`.*inference profile.*`global\.`/);
	});

	it.each([
		["in the body", {}, { __type: "com.amazon.coral.service#ThrottlingException", message: "x" }],
		[
			"in the header alone, without an address",
			{ "x-amzn-errortype": "ThrottlingException" },
			{ Message: "x" },
		],
	])("has its type %s", (_, headers, body) => {
		const errorResponse = { status: 400, headers: new Headers(headers), text: JSON.stringify(body) };
		expect(readErrorResponse(errorResponse, CONTEXT).code).toBe("rate_limited");
	});

	it.each([
		["temperature is deprecated for this model.", "inferenceConfig.temperature", true],
		["The maximum tokens you requested exceeds the model limit of 9.", "inferenceConfig.maxTokens", false],
	])("names the field that is refused: %s", (message, field, isUnknownField) => {
		expect(read(400, "ValidationException", message).failure).toMatchObject({ field, isUnknownField });
	});

	it("tells for a model's own error whether it passes", () => {
		const isTransient = (originalStatusCode: number) =>
			read(424, "ModelErrorException", "x", { originalStatusCode }).failure.isTransient;
		expect([500, 429, 400].map(isTransient)).toEqual([true, true, false]);
		expect(read(429, "ThrottlingException", "x").failure).not.toHaveProperty("isTransient");
	});

	it("may be no JSON at all", () => {
		const errorResponse = { status: 500, headers: new Headers(), text: "<html>" };
		expect(readErrorResponse(errorResponse, CONTEXT)).toEqual({ code: "overloaded" });
	});
});

describe("a message that is no event", () => {
	const toHeaders = (values: Readonly<Record<string, string>>): MessageHeaders =>
		Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { type: "string", value }]));
	const toBody = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

	it.each([
		["internalServerException", "overloaded"],
		["modelStreamErrorException", "overloaded"],
		["serviceUnavailableException", "overloaded"],
		["throttlingException", "rate_limited"],
		["validationException", "bad_request"],
		["modelTimeoutException", "timeout"],
		["aNewException", "overloaded"],
	])("is an exception: %s", (type, code) => {
		const headers = toHeaders({ ":message-type": "exception", ":exception-type": type });
		expect(readErrorMessage({ headers, body: toBody({ message: "x" }) }).code).toBe(code);
	});

	it.each([
		["InternalFailure", "x", "overloaded"],
		["ThrottlingException", "x", "rate_limited"],
		["ValidationException", "Input is too long for requested model.", "context_length"],
	])("is an error: %s", (code, message, expected) => {
		const headers = toHeaders({ ":message-type": "error", ":error-code": code, ":error-message": message });
		expect(readErrorMessage({ headers, body: new Uint8Array() }).code).toBe(expected);
	});

	it("is neither", () => {
		expect(readErrorMessage({ headers: {}, body: new Uint8Array() }).code).toBe("bad_response");
		const headers = toHeaders({ ":message-type": "news" });
		expect(readErrorMessage({ headers, body: new Uint8Array() }).code).toBe("bad_response");
	});
});
