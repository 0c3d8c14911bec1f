import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fromResponse, readUsage } from "./from-response";

const wire = (name: string): string =>
	readFileSync(new URL(`./__fixtures__/${name}.json`, import.meta.url), "utf8");

describe("an answer of", () => {
	it.each([
		["cohere-v2", [0.32713068, 0.1, 0.02, 0.999071, 0.7867867], undefined],
		["jina", [0.8783142566680908, 0.1, 0.7624675869941711], 815],
		["voyage", [0.4375, 0.421875], 26],
		["together", [0.29980177813003117, 0.20752121], 1837],
		["llama-cpp", [-8, 3.182, -11.03], 464],
	])("%s", (name, scores, inputTokens) => {
		const usage = inputTokens === undefined ? undefined : { inputTokens, outputTokens: 0 };
		expect(fromResponse(wire(name), scores.length)).toEqual({ scores, usage });
	});
});

describe("usage", () => {
	it.each([
		[{ meta: { tokens: { input_tokens: 7, output_tokens: 0 } } }, 7],
		[{ meta: { billed_units: { total_tokens: 7 } } }, 7],
		[{ meta: { billed_units: { search_units: 1 } } }, undefined],
		[{ usage: { total_tokens: 0 } }, undefined],
		[{ usage: { prompt_tokens: 0, total_tokens: 7 } }, 7],
		[{ usage: { total_tokens: "7" } }, undefined],
		[{ usage: { total_tokens: -7 } }, undefined],
		[{ usage: { total_tokens: 7.5 } }, undefined],
		[JSON.parse('{ "usage": { "total_tokens": 1e999 } }'), undefined],
		[{ usage: { prompt_tokens: -1, total_tokens: 7 } }, 7],
		[{ usage: null, meta: [] }, undefined],
		[{}, undefined],
	])("%j: unknown is not 0", (body, inputTokens) => {
		expect(readUsage(body)?.inputTokens).toBe(inputTokens);
	});

	it.each([-1, 0.5, Number.POSITIVE_INFINITY])("%d is no output", (completion_tokens) => {
		const usage = { prompt_tokens: 7, completion_tokens };
		expect(readUsage({ usage })).toEqual({ inputTokens: 7, outputTokens: 0 });
	});
});

describe("what is no list of scores", () => {
	it.each([
		["a page", "<html>secret</html>", "bad_response"],
		["nothing", "", "bad_response"],
		["a bare list", "[]", "bad_response"],
		["no list", '{"object":"list"}', "bad_response"],
		["a text left out", '{"results":[{"index":0,"relevance_score":1}]}', "bad_response"],
		["an empty list", '{"results":[]}', "bad_response"],
		["entries of another kind", '{"results":[0.5,null]}', "bad_response"],
		[
			"no score",
			'{"results":[{"index":0,"relevance_score":null},{"index":1,"relevance_score":1}]}',
			"bad_response",
		],
		["an error after all", '{"error":{"code":429,"message":"secret"}}', "rate_limited"],
		["a message", '{"message":"invalid api token"}', "invalid_credential"],
	])("%s", (_, text, code) => {
		const read = fromResponse(text, 2);
		expect(read).toMatchObject({ failure: { code } });
		expect(JSON.stringify(read)).not.toContain("secret");
	});
});
