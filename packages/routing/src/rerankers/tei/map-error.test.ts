import { describe, expect, it } from "vitest";
import { fromResponse } from "./from-response";
import { readError } from "./map-error";

const tei = (error: string, type: string): string => JSON.stringify({ error, error_type: type });

describe("an answer with an error", () => {
	it.each([
		["invalid_credential", 401, ""],
		["permission", 403, "<html>"],
		["quota", 402, ""],
		["bad_response", 404, ""],
		["bad_response", 405, ""],
		["context_length", 413, tei("batch size 64 > maximum allowed batch size 32", "Validation")],
		["context_length", 422, tei("batch size 64 > maximum allowed batch size 32", "Validation")],
		["context_length", 413, "length limit exceeded"],
		["bad_request", 422, tei("Tokenization error", "Tokenizer")],
		["bad_request", 400, tei("batch cannot be empty", "Empty")],
		["bad_request", 422, "Failed to deserialize the JSON body into the target type"],
		["bad_request", 424, tei("model is not a re-ranker model", "Backend")],
		["overloaded", 424, tei("Inference failed", "Backend")],
		["overloaded", 429, tei("Model is overloaded", "Overloaded")],
		["rate_limited", 429, "too many requests"],
		["overloaded", 503, tei("unhealthy", "Unhealthy")],
		["overloaded", 500, ""],
		["overloaded", 502, "<html>"],
		["timeout", 504, ""],
	])("%s: %i %s", (code, status, text) => {
		expect(readError({ status, text }).code).toBe(code);
	});

	it("tells what to serve where the model is none that ranks", () => {
		const { hint } = readError({ status: 424, text: tei("model is not a re-ranker model", "Backend") });
		expect(hint).toContain("reranking model");
	});

	it.each([
		["count", 413, tei("batch size 64 > maximum allowed batch size 32", "Validation")],
		["length", 413, tei("`inputs` must have less than 512 tokens. Given: 900", "Validation")],
		[undefined, 429, tei("Model is overloaded", "Overloaded")],
	])("fewer texts would do: %s", (exceededLimit, status, text) => {
		expect(readError({ status, text }).exceededLimit).toBe(exceededLimit);
	});
});

describe("what is no list of scores", () => {
	it.each([
		["a page", "<html>secret</html>", "bad_response"],
		["the list of another format", '{"results":[]}', "bad_response"],
		["a text left out", '[{"index":0,"score":1}]', "bad_response"],
		[
			"names of another format",
			'[{"index":0,"relevance_score":1},{"index":1,"relevance_score":1}]',
			"bad_response",
		],
		["an error after all", tei("secret", "Overloaded"), "overloaded"],
	])("%s", (_, text, code) => {
		const read = fromResponse(text, 2);
		expect(read).toMatchObject({ failure: { code } });
		expect(JSON.stringify(read)).not.toContain("secret");
	});
});
