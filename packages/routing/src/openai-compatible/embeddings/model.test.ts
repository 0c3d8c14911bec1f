import type { Behaviour } from "@stemma/simulators/openai";
import {
	type OpenAiSimulator,
	type OpenAiSimulatorOptions,
	startOpenAiSimulator,
} from "@stemma/simulators/openai";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EmbeddingModel } from "../../embedding-model";
import { ProviderError } from "../../provider-error";
import { type CapabilityCache, createCapabilityCache } from "../capability-cache";
import { createOpenAiCompatibleEmbeddings } from "./create";
import type { OpenAiCompatibleEmbeddingsOptions } from "./options";

const KEY = "sk-test-0123456789";
let simulator: OpenAiSimulator;
let capabilityCache: CapabilityCache;
const start = async (embeddings: OpenAiSimulatorOptions["embeddings"] = {}): Promise<void> => {
	await simulator?.close();
	simulator = await startOpenAiSimulator({ apiKey: KEY, models: ["embed-test"], embeddings });
	capabilityCache = createCapabilityCache();
};
beforeEach(async () => {
	await start();
	vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(async () => {
	vi.restoreAllMocks();
	vi.unstubAllGlobals();
	await simulator.close();
});

const toModel = (options: Partial<OpenAiCompatibleEmbeddingsOptions> = {}): EmbeddingModel =>
	createOpenAiCompatibleEmbeddings({
		baseUrl: simulator.baseUrl,
		model: "embed-test",
		apiKey: KEY,
		capabilityCache,
		...options,
	});
const words = (count: number): string[] => Array.from({ length: count }, (_, index) => `word${index}`);
const sizes = (): number[] =>
	simulator.requests.map(({ body }) => (body?.input as readonly string[] | undefined)?.length ?? 0);
const failure = (status: number, message: string, rest: object = {}): Behaviour => ({
	kind: "failure",
	status,
	message,
	...rest,
});
const failureOf = (promise: Promise<unknown>): Promise<ProviderError> =>
	promise.then(
		() => Promise.reject(new Error("It did not fail.")),
		(error: unknown) => (ProviderError.is(error) ? error : Promise.reject(error)),
	);
const near = (one: ArrayLike<number> = [], other: ArrayLike<number> = []): number =>
	Array.from(one).reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);

describe("a strict vendor gives", () => {
	it("a vector for each text, and what it cost", async () => {
		const texts = ["A late return costs 12 euro.", "Ada knows the way.", "What does a late return cost?"];
		const { vectors, usage, attempts } = await toModel().embed(texts);
		expect(vectors.map((vector) => [vector instanceof Float32Array, vector.length])).toEqual(
			texts.map(() => [true, 256]),
		);
		expect(near(vectors[2], vectors[0])).toBeGreaterThan(near(vectors[2], vectors[1]) + 0.3);
		expect([usage, attempts]).toEqual([{ inputTokens: 20, outputTokens: 0 }, 1]);
		expect(simulator.requests).toMatchObject([
			{ path: "/v1/embeddings", body: { model: "embed-test", input: texts, encoding_format: "base64" } },
		]);
	});

	it("as many dimensions as are asked for", async () => {
		const model = toModel({ dimensions: 8 });
		expect(model).toMatchObject({ provider: "openai-compatible", model: "embed-test", dimensions: 8 });
		expect(toModel()).not.toHaveProperty("dimensions");
		expect((await model.embed(["a"])).vectors[0]).toHaveLength(8);
	});

	it("the same as numbers, where the platform decodes nothing", async () => {
		const { vectors } = await toModel().embed(["one dog"]);
		vi.stubGlobal("atob", undefined);
		expect((await toModel().embed(["one dog"])).vectors).toEqual(vectors);
		expect(simulator.requests[1]?.body).not.toHaveProperty("encoding_format");
	});

	it("vectors in the order of the texts, however they come", async () => {
		simulator.enqueue({ kind: "embeddings", isShuffled: true });
		const { vectors } = await toModel().embed(["one", "two", "three"]);
		expect(vectors).toEqual((await toModel().embed(["one", "two", "three"])).vectors);
	});

	it("a vector for a text of nothing, and no call for no texts", async () => {
		expect((await toModel().embed(["", "a"])).vectors).toHaveLength(2);
		expect(await toModel().embed([])).toEqual({ vectors: [], attempts: 0 });
		expect(simulator.requests).toHaveLength(1);
	});

	it("no usage where it told none for one of its answers", async () => {
		simulator.enqueue({ kind: "embeddings" }, { kind: "embeddings", usage: "none" });
		const reply = await toModel({ batchSize: 1 }).embed(["a", "b"]);
		expect(reply).not.toHaveProperty("usage");
	});
});

describe("many texts", () => {
	it("go in batches, one after the other, and add up", async () => {
		const { vectors, usage, attempts } = await toModel({ batchSize: 4 }).embed(words(10));
		expect(sizes()).toEqual([4, 4, 2]);
		expect([attempts, usage?.inputTokens]).toEqual([3, 20]);
		expect(vectors).toEqual((await toModel({ batchSize: 10 }).embed(words(10))).vectors);
	});

	it("are 32 at once where the vendor is not known", async () => {
		await toModel().embed(words(33));
		expect(sizes()).toEqual([32, 1]);
	});

	it("are halved where the vendor takes fewer, which is remembered", async () => {
		await start({ inputs: 10 });
		const { vectors, attempts } = await toModel({ batchSize: 64 }).embed(words(64));
		expect(simulator.requests.map(({ rejection }) => rejection !== undefined)).toEqual([
			true,
			true,
			true,
			...Array.from({ length: 8 }, () => false),
		]);
		expect(sizes().slice(3)).toEqual(Array.from({ length: 8 }, () => 8));
		expect(attempts).toBe(11);
		expect(vectors).toHaveLength(64);
		await toModel({ batchSize: 64 }).embed(words(9));
		expect(sizes().slice(11)).toEqual([8, 1]);
	});

	it("are halved where they are too long together, which says nothing about others", async () => {
		await start({ tokens: 100 });
		const texts = Array.from({ length: 4 }, () => "word ".repeat(40));
		expect((await toModel().embed(texts)).vectors).toHaveLength(4);
		// What was refused has no body.
		expect(sizes()).toEqual([0, 2, 2]);
		await toModel().embed(words(20));
		expect(sizes().at(-1)).toBe(20);
	});

	it.each([
		[413, "Payload Too Large", false],
		[413, "batch size 64 > maximum allowed batch size 32", true],
		[422, "batch size 64 > maximum allowed batch size 32", true],
		[400, "* BatchEmbedContentsRequest.requests: at most 100 requests can be in one batch", true],
		[400, "Value error, batch size is invalid, it should not be larger than 10.: input.contents", true],
		[400, "Too many inputs in request. Max is 512.", true],
		[400, "Too many tokens in batch. Max is 16384", false],
	])("are halved at %i %s, which is remembered: %s", async (status, message, isCached) => {
		simulator.enqueue(failure(status, message));
		expect((await toModel().embed(words(4))).vectors).toHaveLength(4);
		expect(sizes()).toEqual([4, 2, 2]);
		const capabilities = capabilityCache.get(`${simulator.baseUrl} embed-test`);
		expect(capabilities?.batchSize).toBe(isCached ? 2 : undefined);
	});

	it.each([
		"* BatchEmbedContentsRequest.requests[3].content: contains something wrong",
		"Invalid input: How do I batch invoices?",
		"input[2] is too large for a batch size of 4",
		"Unsupported parameter: 'dimensions' with this batch size",
	])("are not halved at %s", async (message) => {
		simulator.enqueue(failure(400, message));
		const { code, attempts } = await failureOf(toModel({ dimensions: 256 }).embed(words(4)));
		expect([code, attempts]).toEqual(["bad_request", 1]);
		expect(capabilityCache.get(`${simulator.baseUrl} embed-test`)).toBeUndefined();
	});

	it.each([
		"The max allowed tokens per submitted batch is 120000. Your batch has 130000 tokens.",
		"Please lower the number of tokens in the batch.",
		"invalid request: total number of texts must be at most 96",
	])("are halved at %s", async (message) => {
		simulator.enqueue(failure(400, message));
		expect((await toModel().embed(words(4))).vectors).toHaveLength(4);
	});

	it("are halved, which is not remembered where the last half was too long only", async () => {
		simulator.enqueue(failure(413, "batch size 8 > 4"), failure(413, "too many tokens"));
		await toModel().embed(words(8));
		expect(sizes()).toEqual([8, 4, 2, 2, 2, 2]);
		expect(capabilityCache.get(`${simulator.baseUrl} embed-test`)).toBeUndefined();
	});

	it("are not halved where it is only their turn later", async () => {
		simulator.enqueue(
			failure(429, "Too many tokens in batch per minute", { headers: { "retry-after-ms": "1" } }),
		);
		await toModel().embed(words(4));
		expect(sizes()).toEqual([4, 4]);
	});

	it("are halved, which is not remembered where the half fails too", async () => {
		simulator.enqueue(failure(413, "batch size 64 > maximum allowed batch size 32"), failure(400, "x"));
		await failureOf(toModel().embed(words(4)));
		expect(capabilityCache.get(`${simulator.baseUrl} embed-test`)).toBeUndefined();
	});

	it("are not halved for ever", async () => {
		simulator.enqueue(...Array.from({ length: 9 }, () => failure(413, "batch size too large")));
		expect((await failureOf(toModel().embed(words(4)))).status).toBe(413);
		expect(sizes()).toEqual([4, 2, 1]);
	});

	it("are not halved where one of them is too long", async () => {
		const { code } = await failureOf(toModel().embed(["a", "word ".repeat(7000)]));
		expect([code, simulator.requests.length]).toEqual(["context_length", 1]);
	});
});

describe("what an endpoint does not take is left out, and asked for no more", () => {
	it.each([
		"base64 encoding is not currently supported",
		"Unsupported parameter: encoding_format",
		"Invalid value for 'encoding_format' = base64.",
	])("the encoding: %s", async (message) => {
		simulator.enqueue(failure(400, message));
		expect((await toModel().embed(["a"])).attempts).toBe(2);
		expect((await toModel().embed(["a"])).attempts).toBe(1);
		expect(simulator.requests.slice(1).some(({ body }) => "encoding_format" in (body ?? {}))).toBe(false);
	});

	it("but never dimensions, for some lengths may be taken", async () => {
		const message = 'Model "m" does not support matryoshka representation, changing output dimensions will …';
		simulator.enqueue(failure(400, message));
		const rejection = await failureOf(toModel({ dimensions: 256 }).embed(["a"]));
		expect(rejection).toMatchObject({ code: "bad_request", field: "dimensions", attempts: 1 });
		expect((await toModel({ dimensions: 256 }).embed(["a"])).attempts).toBe(1);
		expect(simulator.requests.at(-1)?.body).toHaveProperty("dimensions", 256);
		simulator.enqueue({ kind: "embeddings", vectors: [[1, 2, 3]] });
		const error = await failureOf(toModel({ dimensions: 8 }).embed(["a"]));
		expect(error).toMatchObject({ code: "bad_request", field: "dimensions" });
		expect(error.hint).toContain("3 numbers");
	});
});

describe("fails", () => {
	it.each([
		["one is missing", [[1]]],
		["one is too many", [[1], [2], [3]]],
		["they differ in length", [[1, 2], [1]]],
		["one is empty", [[], []]],
		["one is no number", [[1], [Number.NaN]]],
		["one is endless", [[1], [Number.POSITIVE_INFINITY]]],
	])("where of the vectors %s", async (_, vectors) => {
		for (const atob of [globalThis.atob, undefined]) {
			vi.stubGlobal("atob", atob);
			simulator.enqueue({ kind: "embeddings", vectors });
			const { code, hint } = await failureOf(toModel().embed(["a", "b"]));
			expect([code, hint]).toEqual(["bad_response", expect.stringContaining("`baseUrl`")]);
		}
	});

	it.each([
		["text", "secret"],
		["nothing", ""],
		["no data", "{}"],
		["no vector", '{"data":[{"index":0}]}'],
		["another index", '{"data":[{"index":1,"embedding":[1]}]}'],
		["half a number", '{"data":[{"index":0,"embedding":"AAA="}]}'],
		["no base64", '{"data":[{"index":0,"embedding":"%%%%"}]}'],
	])("where it is no answer: %s", async (_, body) => {
		simulator.enqueue({ kind: "raw", body });
		const error = await failureOf(toModel().embed(["a"]));
		expect(error.code).toBe("bad_response");
		expect(error.message).toContain("OpenAI's embeddings");
		expect(error.message).not.toContain("secret");
	});

	it("where two batches differ in length", async () => {
		const vectors = [[1, 2], [3]].map((vector) => ({ kind: "embeddings", vectors: [vector] }) as const);
		simulator.enqueue(...vectors);
		expect((await failureOf(toModel({ batchSize: 1 }).embed(["a", "b"]))).code).toBe("bad_response");
	});

	it("as models do: keys, names, errors in a success, silence", async () => {
		const wrong = await failureOf(toModel({ apiKey: "sk-wrong" }).embed(["a"]));
		expect([wrong.code, wrong.message.includes("sk-")]).toEqual(["invalid_credential", false]);
		expect((await failureOf(toModel({ model: "other" }).embed(["a"]))).code).toBe("model_not_found");
		simulator.enqueue({ kind: "raw", body: '{"error":{"message":"secret","code":429}}' });
		expect((await failureOf(toModel().embed(["a"]))).code).toBe("rate_limited");
		simulator.enqueue({ kind: "silence" });
		expect((await failureOf(toModel({ timeouts: { headersTimeoutMs: 50 } }).embed(["a"]))).code).toBe(
			"timeout",
		);
	});

	it("after retries, each batch for itself", async () => {
		simulator.enqueue(failure(503, "x"), { kind: "embeddings" }, failure(503, "x"));
		expect((await toModel({ batchSize: 1 }).embed(["a", "b"])).attempts).toBe(4);
		simulator.enqueue({ kind: "embeddings" }, ...Array.from({ length: 3 }, () => failure(503, "x")));
		const { code, attempts } = await failureOf(toModel({ batchSize: 1 }).embed(["a", "b"]));
		expect([code, attempts]).toEqual(["overloaded", 4]);
	});

	it("with what the batches took that were answered", async () => {
		simulator.enqueue({ kind: "embeddings" }, failure(400, "x"));
		const { usage } = await failureOf(toModel({ batchSize: 1 }).embed(["word", "word"]));
		expect(usage).toEqual({ inputTokens: expect.any(Number), outputTokens: 0 });
	});

	it("with the reason of a signal that aborts between batches", async () => {
		const controller = new AbortController();
		const fetch = async (url: string, init: RequestInit): Promise<Response> => {
			const response = await globalThis.fetch(url, init);
			controller.abort("enough");
			return response;
		};
		const embedding = toModel({ batchSize: 1, fetch }).embed(["a", "b"], controller);
		await expect(embedding).rejects.toBe("enough");
		expect(simulator.requests).toHaveLength(1);
		await expect(toModel().embed(["a"], { signal: AbortSignal.abort("no") })).rejects.toBe("no");
	});
});

it("takes an index that is left out for the place", async () => {
	simulator.enqueue({
		kind: "raw",
		body: '{"data":[{"embedding":[1]},{"embedding":[2]}],"usage":{"prompt_tokens":0,"total_tokens":0}}',
	});
	const reply = await toModel().embed(["a", "b"]);
	expect(reply.vectors.map(([value]) => value)).toEqual([1, 2]);
	expect(reply).not.toHaveProperty("usage");
});

it.each([
	["dimensions", { dimensions: 0 }],
	["dimensions", { dimensions: 1.5 }],
	["batchSize", { batchSize: 0 }],
	["model", { model: "" }],
	["baseUrl", { baseUrl: "x" }],
])("names an option that is wrong: %s", (option, options) => {
	expect(() => toModel(options)).toThrow(`\`${option}\``);
});
