import type { Behaviour } from "@stemma/simulators/reranker";
import { type RerankerSimulator, startRerankerSimulator } from "@stemma/simulators/reranker";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ProviderError } from "../../provider-error";
import type { Reranker } from "../../reranker";
import { createCohereReranker } from "./create";
import type { CohereRerankerOptions } from "./options";

const KEY = "key-test-0123456789";
const QUERY = "What does a late return cost?";
const TEXTS = ["Keys are kept at the desk.", "A late return costs 12 euro."];

let simulator: RerankerSimulator;
beforeEach(async () => {
	simulator = await startRerankerSimulator({ vendor: "cohere", apiKey: KEY, models: ["rank-test"] });
	// Retries without a wish of the vendor come at once.
	vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(async () => {
	vi.restoreAllMocks();
	await simulator.close();
});

const toReranker = (options: Partial<CohereRerankerOptions> = {}): Reranker =>
	createCohereReranker({ baseUrl: simulator.baseUrl, model: "rank-test", apiKey: KEY, ...options });
const rerank = (options: Partial<CohereRerankerOptions> = {}) => toReranker(options).rerank(QUERY, TEXTS);
const failure = (status: number, rest: object = {}): Behaviour => ({ kind: "failure", status, ...rest });

async function failureOf(promise: Promise<unknown>): Promise<ProviderError> {
	const error = await promise.then(
		() => new Error("It did not fail."),
		(caught: unknown) => caught,
	);
	if (!ProviderError.is(error)) throw error;
	return error;
}

describe("a strict vendor", () => {
	it("gets what it takes, and gives scores", async () => {
		const { scores, attempts, usage } = await rerank();
		expect(scores?.[1]).toBeGreaterThan(scores?.[0] ?? 1);
		expect([attempts, usage]).toEqual([1, undefined]);
		expect(simulator.requests).toMatchObject([{ headers: { accept: "application/json" }, isAborted: false }]);
		expect(simulator.requests[0]?.body).toEqual({
			model: "rank-test",
			query: QUERY,
			documents: TEXTS,
			top_n: 2,
		});
	});

	it("refuses what is of another vendor", async () => {
		const error = await failureOf(rerank({ vendor: "voyage" }));
		expect(error).toMatchObject({ code: "bad_request", field: "top_k", status: 422 });
		expect(error.hint).toContain("`vendor`");
	});

	it.each([
		["apiKey", { apiKey: "key-wrong-9876543210" }, "invalid_credential"],
		["apiKey", { apiKey: undefined }, "invalid_credential"],
		["model", { model: "rank-none" }, "model_not_found"],
	])("refuses another %s", async (option, options, code) => {
		const error = await failureOf(rerank(options));
		expect(error).toMatchObject({ code, vendorHost: new URL(simulator.baseUrl).host, attempts: 1 });
		expect(error.hint).toContain(`\`${option}\``);
		expect(error.message + error.hint).not.toMatch(/key-|9876/);
		expect(simulator.requests).toHaveLength(1);
	});

	it("that leaves texts out is not believed", async () => {
		simulator.enqueue({ kind: "scores", omitCount: 1 });
		const error = await failureOf(rerank());
		expect(error).toMatchObject({ code: "bad_response", attempts: 1 });
		expect(error.hint).toContain("one score for each text");
	});
});

describe("tries again", () => {
	it.each([429, 500, 502, 503])("after status %i", async (status) => {
		simulator.enqueue(failure(status), failure(status));
		expect((await rerank()).attempts).toBe(3);
	});

	it("as often as it may", async () => {
		simulator.enqueue(failure(503), failure(503), failure(503));
		expect(await failureOf(rerank())).toMatchObject({ code: "overloaded", status: 503, attempts: 3 });
		simulator.enqueue(failure(429, { headers: { "retry-after": "70" } }));
		const error = await failureOf(rerank());
		expect(error).toMatchObject({ code: "rate_limited", retryAfterMs: 70_000, attempts: 1 });
	});

	it.each([400, 401, 402, 403, 404, 408, 422, 504])("not after status %i", async (status) => {
		simulator.enqueue(failure(status, { message: "secret" }));
		const error = await failureOf(rerank());
		expect([error.status, error.attempts]).toEqual([status, 1]);
		expect(JSON.stringify([error, error.message, error.hint])).not.toContain("secret");
	});

	it("not where a text is too long, whatever the status", async () => {
		simulator.enqueue(failure(500, { message: "input is too large to process" }));
		expect(await failureOf(rerank())).toMatchObject({ code: "context_length", attempts: 1 });
	});

	it("not where the month's calls are used up", async () => {
		simulator.enqueue(failure(429, { message: "limited to 1000 API calls / month" }));
		expect(await failureOf(rerank())).toMatchObject({ code: "quota", attempts: 1 });
	});
});

describe("waits no longer", () => {
	it("than it may", async () => {
		simulator.enqueue({ kind: "silence" });
		const error = await failureOf(rerank({ timeouts: { headersTimeoutMs: 1000 } }));
		expect(error).toMatchObject({ code: "timeout", attempts: 1 });
		await expect.poll(() => simulator.requests[0]?.isAborted).toBe(true);
	});

	it("than it is wanted, and hangs up", async () => {
		simulator.enqueue({ kind: "silence" });
		const controller = new AbortController();
		const call = toReranker().rerank(QUERY, TEXTS, controller);
		await expect.poll(() => simulator.requests[0]?.body).toBeDefined();
		controller.abort("enough");
		await expect(call).rejects.toBe("enough");
		await expect.poll(() => simulator.requests[0]?.isAborted).toBe(true);
	});

	it("for a host that is not there", async () => {
		await simulator.close();
		expect(await failureOf(rerank({ maxRetries: 0 }))).toMatchObject({ code: "unreachable", attempts: 1 });
	});
});

describe("at a vendor's own host", () => {
	const server = setupServer();
	beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
	afterEach(() => server.resetHandlers());
	afterAll(() => server.close());

	it.each([
		["https://api.cohere.com", "https://api.cohere.com/v2/rerank", { top_n: 2 }],
		["https://api.jina.ai", "https://api.jina.ai/v1/rerank", { top_n: 2, return_documents: false }],
		["https://api.voyageai.com", "https://api.voyageai.com/v1/rerank", { top_k: 2 }],
		["https://api.together.xyz", "https://api.together.xyz/v1/rerank", { top_n: 2 }],
	])("%s, its variant is spoken", async (baseUrl, url, fields) => {
		const bodies: unknown[] = [];
		const results = [0, 1].map((index) => ({ index, relevance_score: index }));
		server.use(
			http.post(url, async ({ request }) => {
				bodies.push(await request.json());
				return HttpResponse.json({ results });
			}),
		);
		expect((await rerank({ baseUrl })).scores).toEqual([0, 1]);
		expect(bodies).toEqual([{ model: "rank-test", query: QUERY, documents: TEXTS, ...fields }]);
	});

	it.each([
		["a page", "<html>secret</html>", "text/html"],
		["half a body", '{"results":[{"ind', "application/json"],
		["nothing", "", "application/json"],
	])("%s is no answer", async (_, body, type) => {
		server.use(
			http.post(
				"https://rank.example/v1/rerank",
				() => new HttpResponse(body, { headers: { "content-type": type } }),
			),
		);
		const error = await failureOf(rerank({ baseUrl: "https://rank.example/v1" }));
		expect(error).toMatchObject({ code: "bad_response", hint: expect.stringContaining("`baseUrl`") });
		expect(error.message).not.toContain("secret");
	});
});
