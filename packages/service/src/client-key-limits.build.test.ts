import { citeFirstPassage, type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestResponse, type TestService } from "./http/test-support/test-service";

let vendor: OpenAiSimulator;
let service: TestService;
let open: string;
let closed: string;

/** A message that is hardly one, and what a vendor charges for it all the same. */
const TINY = "zz";
const TINY_USAGE = { inputTokens: 9, outputTokens: 2 };

beforeAll(async () => {
	vendor = await startOpenAiSimulator({
		behaviour: (body) =>
			JSON.stringify(body).includes(TINY)
				? { kind: "reply", text: "y", usage: TINY_USAGE }
				: citeFirstPassage(body),
	});
	service = await startTestService({
		limits: { concurrent_runs: 8 },
		providers: {
			main: { provider: "openai-compatible", base_url: vendor.baseUrl, default_model: "gpt-test" },
		},
		chat: "main",
	});
	const make = async (name: string): Promise<string> =>
		(await service.send("/v1/knowledge-bases", { json: { name } })).body.id;
	[open, closed] = await Promise.all([make("Open"), make("Closed")]);
	for (const [slug, id] of [
		["open-desk", open],
		["closed-desk", closed],
	] as const)
		await service.send("/v1/agents", { json: { slug, graph: toGraph(id) } });
});
afterAll(async () => {
	await service.end();
	await vendor.close();
});

const toGraph = (id: string) => ({
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "faq", kind: "knowledge", knowledgeBases: [id] },
	],
	edges: [{ from: "desk", to: "faq", mode: "before" }],
});

const makeKey = async (limits: object): Promise<string> =>
	(await service.send("/v1/client-keys", { json: { name: "page", native: true, ...limits } })).body
		.client_key;

const run = (credential: string, slug: string, more: object = {}): Promise<TestResponse> =>
	service.send(`/v1/agents/${slug}/run`, { credential, json: { input: "Hello?", ...more } });

describe("a client key", () => {
	it("runs no agent that reads a knowledge base which it may not read", async () => {
		const credential = await makeKey({ knowledge_base_ids: [open] });
		expect((await run(credential, "open-desk")).status).toBe(200);
		const requestCount = vendor.requests.length;
		expect(await run(credential, "closed-desk")).toMatchObject({
			status: 404,
			body: { error: { code: "knowledge_base_not_found" } },
		});
		expect(vendor.requests.length).toBe(requestCount);
	});

	it("asks the vendor for no more than its budget has left", async () => {
		const credential = await makeKey({ tokens_per_day: 500 });
		await run(credential, "open-desk");
		const { max_tokens, max_completion_tokens } = vendor.requests.at(-1)?.body ?? {};
		expect(max_completion_tokens ?? max_tokens).toBeLessThan(500);
	});

	it("passes no budget with calls that ask for next to nothing, all at once", async () => {
		const tokens_per_day = 600;
		const credential = await makeKey({ tokens_per_day, models: true, requests_per_minute: 10_000 });
		const json = { model: "default", max_tokens: 1, messages: [{ role: "user", content: TINY }] };
		const calls = 150;
		const requestCount = vendor.requests.length;
		const answers = await Promise.all(
			Array.from({ length: calls }, () => service.send("/v1/chat/completions", { credential, json })),
		);
		const made = vendor.requests.length - requestCount;
		expect(made).toBeGreaterThan(0);
		expect(made * (TINY_USAGE.inputTokens + TINY_USAGE.outputTokens)).toBeLessThanOrEqual(tokens_per_day);
		const refused = answers.filter(({ status }) => status !== 200);
		expect(refused).toHaveLength(calls - made);
		for (const { status, body } of refused)
			expect([status, body.error.code]).toEqual([429, "budget_exhausted"]);
	});

	it("leaves room for the runs of others, and its own runs are joined all the same", async () => {
		const credential = await makeKey({});
		const still = { kind: "silence" } as const;
		vendor.enqueue(still, still, still);
		const start = (key: string) =>
			service.send("/v1/agents/open-desk/run", {
				credential,
				json: { input: "Hello?", background: true },
				headers: { "idempotency-key": key, "stemma-visitor": "5f4dcc3b5aa765d61d8327deb882cf99" },
			});
		const started = await Promise.all(["a", "b", "c"].map(start));
		expect(started.map(({ status }) => status).sort()).toEqual([202, 202, 429]);
		const again = await Promise.all(["a", "b", "c"].map(start));
		expect(again.map(({ status }) => status).sort()).toEqual([202, 202, 429]);
		expect(
			(await service.send("/v1/agents/open-desk/run", { json: { input: "?", background: true } })).status,
		).toBe(202);
		const { body } = await service.send("/v1/runs?status=running");
		for (const { id } of body.data) await service.send(`/v1/runs/${id}/cancel`, { method: "POST" });
	});

	it("learns nothing of models, unless it was made for them, and then not whose", async () => {
		const toKinds = ({ data }: { data: { stemma: { kind: string } }[] }) =>
			data.map(({ stemma }) => stemma.kind).filter((kind) => kind === "model");
		const other = await service.send("/v1/models", { credential: await makeKey({}) });
		expect(toKinds(other.body)).toEqual([]);
		const { body } = await service.send("/v1/models", { credential: await makeKey({ models: true }) });
		expect(toKinds(body)).toEqual(["model"]);
		expect(JSON.stringify(body)).not.toMatch(/gpt-test|127\.0\.0\.1/);
	});
});
