import {
	type RerankerSimulator,
	type RerankerSimulatorOptions,
	startRerankerSimulator,
} from "@stemma/simulators/reranker";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { createCohereReranker } from "./cohere/create";
import { createTeiReranker } from "./tei/create";

const QUERY = "late return cost";

/** A vendor that gives each text the score that it says, and the list in an order of its own. */
const respondWithScores =
	(arrange: <T>(list: readonly T[]) => readonly T[]) =>
	async (_: string, { body }: RequestInit): Promise<Response> => {
		const { documents } = JSON.parse(String(body)) as { readonly documents: readonly string[] };
		const results = documents.map((text, index) => ({ index, relevance_score: Number(text) }));
		return Response.json({ results: arrange(results), usage: { total_tokens: documents.length } });
	};

const simulators: RerankerSimulator[] = [];
afterEach(async () => {
	await Promise.all(simulators.splice(0).map((simulator) => simulator.close()));
});

async function start(options: Partial<RerankerSimulatorOptions> = {}): Promise<RerankerSimulator> {
	const simulator = await startRerankerSimulator({ vendor: "tei", ...options });
	simulators.push(simulator);
	return simulator;
}

const toTexts = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => `late ${"return ".repeat(index)}`);
const sizesOf = ({ requests }: RerankerSimulator): unknown[] =>
	requests.map(
		({ body = { query: "", texts: [] }, rejection }) => rejection ?? (body.texts as unknown[]).length,
	);

describe("a list that is too long for one request", () => {
	const scores = fc.array(
		fc.integer({ min: -300, max: 300 }).map((value) => value / 100),
		{ minLength: 1, maxLength: 12 },
	);

	it("has the scores that it would have in one, in its order", async () => {
		await fc.assert(
			fc.asyncProperty(
				scores,
				fc.integer({ min: 1, max: 12 }),
				fc.infiniteStream(fc.nat()),
				async (list, batchSize, chance) => {
					const shuffle = <T>(items: readonly T[]): readonly T[] =>
						items
							.map((item) => ({ item, place: chance.next().value ?? 0 }))
							.sort((a, b) => a.place - b.place)
							.map(({ item }) => item);
					const base = { baseUrl: "https://rank.example/v1", model: "m" };
					const texts = list.map(String);
					const whole = await createCohereReranker({
						...base,
						fetch: respondWithScores((items) => items),
					}).rerank(QUERY, texts);
					const parts = createCohereReranker({ ...base, batchSize, fetch: respondWithScores(shuffle) });
					const attempts = Math.ceil(list.length / batchSize);
					expect(await parts.rerank(QUERY, texts)).toEqual({ ...whole, attempts });
				},
			),
			{ numRuns: 50 },
		);
	});

	it("is sent in parts", async () => {
		const simulator = await start();
		const reranker = createTeiReranker({ baseUrl: simulator.baseUrl });
		const { scores, attempts } = await reranker.rerank(QUERY, toTexts(70));
		expect(scores).toHaveLength(70);
		expect([attempts, sizesOf(simulator)]).toEqual([3, [32, 32, 6]]);
	});

	it("is not sent on where a part has failed", async () => {
		const simulator = await start();
		simulator.enqueue({ kind: "scores" }, { kind: "failure", status: 500 });
		const reranker = createTeiReranker({ baseUrl: simulator.baseUrl, batchSize: 1, maxRetries: 0 });
		await expect(reranker.rerank(QUERY, toTexts(4))).rejects.toMatchObject({
			code: "overloaded",
			attempts: 2,
		});
		expect(simulator.requests).toHaveLength(2);
	});

	it("has no usage where a part has none", async () => {
		const simulator = await start({ vendor: "jina" });
		const reranker = createCohereReranker({
			baseUrl: simulator.baseUrl,
			model: "m",
			vendor: "jina",
			batchSize: 1,
		});
		simulator.enqueue(
			{ kind: "scores", usage: { inputTokens: 5 } },
			{ kind: "scores", usage: { inputTokens: 6 } },
		);
		expect((await reranker.rerank(QUERY, toTexts(2))).usage).toEqual({ inputTokens: 11, outputTokens: 0 });
		simulator.enqueue({ kind: "scores", usage: { inputTokens: 5 } }, { kind: "scores", usage: "none" });
		expect(await reranker.rerank(QUERY, toTexts(2))).not.toHaveProperty("usage");
	});
});

it("tells with a failure what the parts that were answered took", async () => {
	const simulator = await start({ vendor: "jina" });
	const { baseUrl } = simulator;
	const options = { baseUrl, model: "m", vendor: "jina", batchSize: 1, maxRetries: 0 } as const;
	const fail = async (status: number, ...inputs: number[]): Promise<unknown> => {
		simulator.enqueue(...inputs.map((inputTokens) => ({ kind: "scores", usage: { inputTokens } }) as const), {
			kind: "failure",
			status,
		});
		return createCohereReranker(options)
			.rerank(QUERY, toTexts(4))
			.catch((error: unknown) => error);
	};
	for (const status of [500, 401])
		expect(await fail(status, 5, 6)).toMatchObject({
			usage: { inputTokens: 11, outputTokens: 0 },
			attempts: 3,
		});
	expect(await fail(500)).toMatchObject({ usage: undefined, attempts: 1 });
});

describe("a server that takes fewer texts", () => {
	it("gets half as many until it does, and no more from then on", async () => {
		const simulator = await start({ maxTexts: 10 });
		const reranker = createTeiReranker({ baseUrl: simulator.baseUrl });
		expect((await reranker.rerank(QUERY, toTexts(20))).attempts).toBe(3);
		expect(sizesOf(simulator)).toEqual([413, 10, 10]);
	});

	it("is remembered", async () => {
		const simulator = await start({ maxTexts: 3 });
		const reranker = createTeiReranker({ baseUrl: simulator.baseUrl });
		await reranker.rerank(QUERY, toTexts(8));
		const before = simulator.requests.length;
		await reranker.rerank(QUERY, toTexts(8));
		expect(sizesOf(simulator).slice(before)).toEqual([2, 2, 2, 2]);
	});

	it("may speak another format", async () => {
		const simulator = await start({ vendor: "voyage", maxTexts: 5 });
		const reranker = createCohereReranker({ baseUrl: simulator.baseUrl, model: "m", vendor: "voyage" });
		const { scores, attempts, usage } = await reranker.rerank(QUERY, toTexts(10));
		expect([scores?.length, attempts]).toEqual([10, 3]);
		expect(usage?.inputTokens).toBeGreaterThan(0);
	});

	it("has the scores that it would have in one request", async () => {
		const [few, many] = await Promise.all([start({ maxTexts: 3 }), start({ maxTexts: 100 })]);
		const texts = toTexts(17);
		const [some, all] = await Promise.all(
			[few, many].map(({ baseUrl }) => createTeiReranker({ baseUrl, batchSize: 100 }).rerank(QUERY, texts)),
		);
		expect(some?.scores).toEqual(all?.scores);
	});
});

it("remembers no smaller size that fails too", async () => {
	const simulator = await start();
	const reranker = createTeiReranker({ baseUrl: simulator.baseUrl, maxRetries: 0 });
	const message = "batch size 8 > maximum allowed batch size 4";
	simulator.enqueue({ kind: "failure", status: 413, message }, { kind: "failure", status: 500 });
	await expect(reranker.rerank(QUERY, toTexts(8))).rejects.toMatchObject({ attempts: 2 });
	await reranker.rerank(QUERY, toTexts(8));
	expect(sizesOf(simulator).slice(2)).toEqual([8]);
});

describe("texts that are too long together", () => {
	it("go out in halves, this once", async () => {
		const simulator = await start({ maxBytes: 1_000 });
		const reranker = createTeiReranker({ baseUrl: simulator.baseUrl });
		await reranker.rerank(QUERY, ["x".repeat(600), "y".repeat(600)]);
		await reranker.rerank(QUERY, ["late", "return"]);
		expect(sizesOf(simulator)).toEqual([413, 1, 1, 2]);
	});

	it("fail where one alone is too long", async () => {
		const simulator = await start({ maxBytes: 1_000 });
		const call = createTeiReranker({ baseUrl: simulator.baseUrl }).rerank(QUERY, ["late", "x".repeat(2_000)]);
		await expect(call).rejects.toMatchObject({ code: "context_length", status: 413, attempts: 3 });
	});
});
