import { readFileSync } from "node:fs";
import { type RerankerSimulator, startRerankerSimulator } from "@stemma/simulators/reranker";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createTeiReranker } from "./create";
import { fromResponse } from "./from-response";
import { readOptions, type TeiRerankerOptions } from "./options";

const KEY = "key-test-0123456789";
const QUERY = "What does a late return cost?";
const TEXTS = ["Keys are kept at the desk.", "A late return costs 12 euro."];

let simulator: RerankerSimulator;
beforeEach(async () => {
	simulator = await startRerankerSimulator({ vendor: "tei", apiKey: KEY });
	vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(async () => {
	vi.restoreAllMocks();
	await simulator.close();
});

const rerank = (options: Partial<TeiRerankerOptions> = {}) =>
	createTeiReranker({ baseUrl: simulator.baseUrl, apiKey: KEY, ...options }).rerank(QUERY, TEXTS);

describe("a server", () => {
	it("gets what it takes, and gives scores", async () => {
		const { scores, ...rest } = await rerank();
		expect(scores?.[1]).toBeGreaterThan(scores?.[0] ?? 1);
		expect(rest).toEqual({ attempts: 1 });
		expect(simulator.requests[0]).toMatchObject({ path: "/rerank" });
		expect(simulator.requests[0]?.body).toEqual({ query: QUERY, texts: TEXTS, truncate: true });
	});

	it("answers a bare list, best first", () => {
		const text = readFileSync(new URL("./__fixtures__/rerank.json", import.meta.url), "utf8");
		expect(fromResponse(text, 3)).toMatchObject({ scores: [0.12527102, 0.9976404, 0.00003722] });
	});

	it("that is overloaded is asked again", async () => {
		const overloaded = { kind: "failure", status: 429, type: "Overloaded" } as const;
		simulator.enqueue(overloaded, overloaded);
		expect((await rerank()).attempts).toBe(3);
		simulator.enqueue(overloaded);
		await expect(rerank({ maxRetries: 0 })).rejects.toMatchObject({ code: "overloaded", status: 429 });
	});

	it("may ask for a key", async () => {
		await expect(rerank({ apiKey: undefined })).rejects.toMatchObject({
			code: "invalid_credential",
			message: expect.stringContaining("asks for an API key"),
		});
	});
});

describe("options", () => {
	it("name what is served, for receipts alone", () => {
		const { model } = createTeiReranker({ baseUrl: simulator.baseUrl });
		expect(model).toBe("default");
		expect(readOptions({ baseUrl: "http://localhost:8080/rerank", model: "bge" })).toMatchObject({
			model: "bge",
			url: "http://localhost:8080/rerank",
			batchSize: 32,
			hasKey: false,
		});
	});

	it.each([
		["baseUrl", { baseUrl: "localhost:8080" }],
		["model", { model: "" }],
		["batchSize", { batchSize: 0 }],
	])("name what is wrong: %s", (option, options) => {
		expect(() => createTeiReranker({ baseUrl: "http://localhost:8080", ...options })).toThrow(
			`\`${option}\``,
		);
	});
});
