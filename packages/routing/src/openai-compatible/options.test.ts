import { ConfigurationError } from "@stemma/core/errors";
import { describe, expect, it } from "vitest";
import { createOpenAiCompatibleModel } from "./create";
import { type OpenAiCompatibleOptions, parseOpenAiBaseUrl, readOptions } from "./options";

const GOOD = { baseUrl: "https://api.openai.com/v1", model: "gpt-test" };

function errorOf(options: object): ConfigurationError {
	try {
		createOpenAiCompatibleModel({ ...GOOD, ...options } as OpenAiCompatibleOptions);
	} catch (error) {
		if (ConfigurationError.is(error)) return error;
		throw error;
	}
	throw new Error("It was taken.");
}

describe("the base URL", () => {
	it.each([
		["https://api.openai.com/v1", "https://api.openai.com/v1"],
		["https://api.openai.com/v1///", "https://api.openai.com/v1"],
		["https://api.openai.com/v1/chat/completions", "https://api.openai.com/v1"],
		["https://api.openai.com/v1/chat/completions/", "https://api.openai.com/v1"],
		["https://API.OpenAI.com:443/v1?", "https://api.openai.com/v1"],
		["http://localhost:11434", "http://localhost:11434"],
	])("%s", (text, baseUrl) => {
		expect(parseOpenAiBaseUrl(text).baseUrl).toBe(baseUrl);
	});

	it.each([
		["", "configuration"],
		["api.openai.com/v1", "configuration"],
		["ftp://host/v1", "configuration"],
		["https://user:s3cret@host/v1", "base_url_not_plain"],
		["https://s3cret@host/v1", "base_url_not_plain"],
		["https://host/v1?key=s3cret", "base_url_not_plain"],
		["https://host/v1#s3cret", "base_url_not_plain"],
		[undefined, "configuration"],
	])("is refused without being repeated: %s", (baseUrl, code) => {
		const error = errorOf({ baseUrl });
		expect(error.code).toBe(code);
		expect(error).toMatchObject({ option: "baseUrl", message: expect.stringContaining("`baseUrl`") });
		expect(`${JSON.stringify(error)}${error.stack}${error.cause}`).not.toContain("s3cret");
	});
});

describe("options", () => {
	it.each([
		["model", { model: "" }],
		["model", { model: "m".repeat(257) }],
		["apiKey", { apiKey: " " }],
		["apiKey", { apiKey: "s3cret\nx" }],
		["apiKey", { apiKey: "s3crét" }],
		["headers", { headers: { "a b": "s3cret" } }],
		["headers", { headers: { "api-key": "s3cret\n" } }],
		["fetch", { fetch: "s3cret" }],
		["maxRetries", { maxRetries: -1 }],
		["maxRetries", { maxRetries: 1.5 }],
		["timeouts.headersTimeoutMs", { timeouts: { headersTimeoutMs: 0 } }],
		["timeouts.idleTimeoutMs", { timeouts: { idleTimeoutMs: Number.NaN } }],
	])("name what is wrong: %s", (option, options) => {
		const { message, cause, option: path } = errorOf(options);
		expect(path).toMatch(new RegExp(`^${option}`));
		expect(message).toContain(`\`${option}`);
		expect(message + cause).not.toContain("s3cr");
	});

	it("have finite timeouts by default, and cut blanks off a key", () => {
		expect(readOptions({ ...GOOD, apiKey: "sk-1\n", headers: { "X-Team": "a" } })).toMatchObject({
			baseUrl: "https://api.openai.com/v1",
			vendorHost: "api.openai.com",
			headers: { authorization: "Bearer sk-1", "x-team": "a" },
			headersTimeoutMs: 60_000,
			idleTimeoutMs: 60_000,
			maxRetries: 2,
		});
		expect(
			readOptions({ ...GOOD, timeouts: { idleTimeoutMs: Number.POSITIVE_INFINITY } }).idleTimeoutMs,
		).toBe(Number.POSITIVE_INFINITY);
	});
});
