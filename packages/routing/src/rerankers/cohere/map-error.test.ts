import { describe, expect, it } from "vitest";
import { readError } from "./map-error";

const message = (text: string): string => JSON.stringify({ message: text });
const detail = (value: unknown): string => JSON.stringify({ detail: value });
const error = (text: string, rest: object = {}): string =>
	JSON.stringify({ error: { message: text, ...rest } });

const MONTH = "You are using a Trial key, which is limited to 1000 API calls / month.";
const MINUTE = "You are using a Trial key, which is limited to 10 API calls / minute.";

describe("an answer with an error", () => {
	it.each([
		["invalid_credential", 401, message("invalid api token")],
		["invalid_credential", 401, "<html>"],
		["invalid_credential", 498, ""],
		["invalid_credential", 403, error("Invalid API key provided", { code: "invalid_api_key" })],
		["permission", 403, ""],
		["model_not_found", 404, message("model 'x' not found, make sure the correct model ID was used")],
		["model_not_found", 400, detail("Model x is not supported. Supported models are ['rerank-2.5'].")],
		["model_not_found", 404, error("Unable to access model x.", { code: "model_not_available" })],
		["bad_response", 404, ""],
		["bad_response", 405, ""],
		["bad_response", 501, error("This server does not support reranking.", { type: "not_supported_error" })],
		["model_not_found", 400, message("Model does not exist. Please check it carefully.")],
		["rate_limited", 429, message(MINUTE)],
		["rate_limited", 429, detail("You have passed your token limit of this minute.")],
		["quota", 429, message(MONTH)],
		["quota", 402, detail("Payment required")],
		["quota", 403, detail("Insufficient account balance")],
		["context_length", 413, ""],
		["context_length", 400, detail("The max allowed tokens per submitted batch is 600000.")],
		[
			"context_length",
			500,
			error("input (900 tokens) is too large to process. increase the physical batch size"),
		],
		["context_length", 400, message("too many tokens: the query is too long")],
		["bad_request", 422, message("unknown field: parameter 'x' is not a valid field")],
		["bad_request", 400, "null"],
		["overloaded", 500, ""],
		["overloaded", 503, "<html>"],
		["overloaded", 529, "x"],
		["timeout", 504, ""],
		["timeout", 408, ""],
	])("%s: %i %s", (code, status, text) => {
		expect(readError({ status, text }).code).toBe(code);
	});

	it.each([
		[413, "", "length"],
		[400, detail("The max allowed tokens per submitted batch is 600000."), "length"],
		[400, detail("The number of documents cannot exceed 1000."), "count"],
		[422, message("batch size 64 > maximum allowed batch size 32"), "count"],
		[500, error("input is too large to process. increase the physical batch size"), undefined],
		[400, message("the query is too long"), undefined],
		[429, "", undefined],
	])("fewer texts would do: %i %s %s", (status, text, exceededLimit) => {
		expect(readError({ status, text }).exceededLimit).toBe(exceededLimit);
	});

	it("names the field that was refused, and nothing that the vendor said", () => {
		const failure = readError({
			status: 400,
			text: message("secret: parameter 'top_n' is not a valid field"),
		});
		expect(failure).toMatchObject({ code: "bad_request", field: "top_n" });
		expect(JSON.stringify(failure)).not.toContain("secret");
		expect(readError({ status: 422, text: detail([{ loc: ["body", "documents"] }]) }).field).toBe(
			"documents",
		);
		expect(
			readError({ status: 400, text: message("parameter 'foo' is not a valid field") }).field,
		).toBeUndefined();
	});
});
