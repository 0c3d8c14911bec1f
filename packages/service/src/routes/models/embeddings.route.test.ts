import * as built from "@stemma/service";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startTestService, type TestService } from "../../http/test-support/test-service";
import { expectApiError } from "../../test-support/expect-error";
import { getBody } from "../../test-support/tenant";
import { openTestDeployment } from "../../test-support/test-deployment";

const PATH = "/v1/embeddings";
const KEY = "sk-of-the-host-7f31";
const ask = { model: "default", input: "The ferry leaves the harbour." };

let vendor: OpenAiSimulator;
let testService: TestService;
beforeAll(async () => {
	vendor = await startOpenAiSimulator({ apiKey: KEY, embeddings: { inputs: 10 } });
	testService = await startTestService({
		embeddings: {
			base_url: vendor.baseUrl,
			model: "text-vectors",
			dimensions: 64,
			credential: { value: KEY },
		},
	});
});
afterAll(async () => {
	await testService?.end();
	await vendor?.close();
});

const send = (json: object, credential?: string) =>
	testService.send(PATH, { json, ...(credential !== undefined && { credential }) });
const lengthOf = (vector: readonly number[]): number => Math.hypot(...vector);

describe("vectors", () => {
	it("are those of the vendor, in the order of the texts", async () => {
		const input = Array.from(
			{ length: 25 },
			(_, index) => `Page ${index} of the harbour, ${"ferry ".repeat(index)}`,
		);
		const { status, body } = await send({ model: "text-vectors", input, user: "somebody" });
		expect(status).toBe(200);
		expect(body).toMatchObject({ object: "list", model: "text-vectors" });
		expect(body.data.map(({ index }: { index: number }) => index)).toEqual(input.map((_, index) => index));
		for (const [index, text] of input.entries()) {
			const [alone] = (await send({ ...ask, input: text })).body.data;
			expect(body.data[index].embedding).toEqual(alone.embedding);
		}
		expect(body.data[0].embedding).toHaveLength(64);
		expect(lengthOf(body.data[0].embedding)).toBeCloseTo(1);
		expect(body.data[0].embedding).not.toEqual(body.data[1].embedding);
	});

	it("are the same numbers in base64", async () => {
		const [{ embedding }] = (await send(ask)).body.data;
		const [packed] = (await send({ ...ask, encoding_format: "base64" })).body.data;
		const bytes = Buffer.from(packed.embedding, "base64");
		expect(bytes.length).toBe(64 * 4);
		expect(embedding.map((_: number, index: number) => bytes.readFloatLE(4 * index))).toEqual(embedding);
	});

	it("are put in order where the vendor does not, and told with what they took", async () => {
		vendor.enqueue({ kind: "embeddings", isShuffled: true });
		const json = { ...ask, input: ["one", "two", "three"], dimensions: 64 };
		const { body, headers } = await send(json);
		const alone = await send({ ...ask, input: "two" });
		expect(body.data[1].embedding).toEqual(alone.body.data[0].embedding);
		expect(body.usage).toEqual({ prompt_tokens: 4, total_tokens: 4 });
		expect(body.stemma.receipt).toMatchObject([
			{
				stage: "embed",
				payer: "deployment",
				provider: "openai-compatible",
				vendor_host: new URL(vendor.baseUrl).host,
				model: "text-vectors",
				input_tokens: 4,
				output_tokens: 0,
				attempts: 1,
			},
		]);
		expect(headers.get("stemma-receipt-id")).toMatch(/^rcp_/);
	});

	it("are counted where the vendor tells nothing", async () => {
		vendor.enqueue({ kind: "embeddings", usage: "none" });
		const { body } = await send(ask);
		expect(body.stemma.receipt).toMatchObject([{ estimated: true, input_tokens: 8 }]);
		expect(body.usage).toEqual({ prompt_tokens: 8, total_tokens: 8 });
		await vi.waitFor(async () => {
			const { data } = (await testService.send("/v1/usage?stage=embed")).body;
			expect(data).toMatchObject([{ payer: "deployment", model: "text-vectors", estimated_calls: 1 }]);
		}, 30_000);
	});
});

describe("what cannot be had", () => {
	it.each([
		[422, "model_not_allowed", "model", { model: "text-embedding-3-large" }],
		[422, "dimensions_not_allowed", "dimensions", { dimensions: 63 }],
		[400, "invalid_request", "input", { input: [] }],
		[400, "invalid_request", "input", { input: "" }],
		[400, "invalid_request", "input", { input: new Array(2049).fill("a") }],
		[400, "invalid_request", "input", { input: [1, 2, 3] }],
		[400, "invalid_request", "input", { input: [[1, 2], [3]] }],
		[400, "invalid_request", "input", { input: ["a", ""] }],
		[400, "invalid_request", "input", { input: "x".repeat(100_001) }],
		[400, "invalid_request", "input", { input: "\ud800" }],
		[400, "invalid_request", "encoding_format", { encoding_format: "hex" }],
		[400, "invalid_request", "model", { model: "" }],
	])("is refused with %i %s of %s", async (status, code, param, change) => {
		const calls = vendor.requests.length;
		const answer = await send({ ...ask, ...change });
		expect([answer.status, answer.body.error.code]).toEqual([status, code]);
		expect(answer.body.error.param).toMatch(new RegExp(`^${param}`));
		expect(vendor.requests.length).toBe(calls);
	});

	it("is any vector, where no model makes them", async () => {
		const bare = await openTestDeployment(built);
		const { send: sendBare } = await bare.addWorkspace("bare");
		expectApiError(await sendBare("POST", PATH, { json: ask }), 422, "embeddings_not_configured");
		await bare.close();
	});

	it.each([
		[502, "invalid_credential", { status: 401, message: `Incorrect API key provided: ${KEY}` }],
		[429, "quota", { status: 429, code: "insufficient_quota" }],
		[400, "context_length_exceeded", { status: 400, code: "context_length_exceeded" }],
		[400, "bad_request", { status: 400, message: "No." }],
	])("is told with %i %s, and with the call that was made", async (status, code, failure) => {
		vendor.enqueue({ kind: "failure", ...failure });
		const answer = await send(ask);
		expect([answer.status, answer.body.error.code]).toEqual([status, code]);
		expect(answer.body.error.details.receipt).toMatchObject([{ stage: "embed", payer: "deployment" }]);
		expect(JSON.stringify(answer.body)).not.toContain(KEY);
	});

	it("tells of what was paid when it failed half-way", async () => {
		vendor.enqueue({ kind: "embeddings" }, { kind: "failure", status: 401 });
		const input = Array.from({ length: 20 }, (_, index) => `Text number ${index}`);
		const { status, body } = await send({ ...ask, input });
		expect([status, body.error.code]).toEqual([502, "invalid_credential"]);
		expect(body.error.details.receipt[0].input_tokens).toBeGreaterThan(10);
	});
});

describe("a client key", () => {
	const addKey = async (fields: object): Promise<string> =>
		(await testService.send("/v1/client-keys", { json: { name: "app", native: true, ...fields } })).body
			.client_key;

	it("gets vectors where it may call models, and learns not whose they are", async () => {
		const refused = await send(ask, await addKey({}));
		expect([refused.status, refused.body.error.code]).toEqual([403, "not_allowed_for_client_key"]);
		const key = await addKey({ models: true });
		const { status, body } = await send(ask, key);
		expect([status, body.data.length]).toEqual([200, 1]);
		vendor.enqueue({ kind: "failure", status: 401 });
		const answers = [body, (await send({ ...ask, model: "other" }, key)).body, (await send(ask, key)).body];
		expect(answers[1].error.code).toBe("model_not_allowed");
		expect(answers[2].error.code).toBe("invalid_credential");
		expect(JSON.stringify(answers)).not.toMatch(/text-vectors|receipt/);
		const traced = await addKey({ models: true, expose: "receipt" });
		expect((await send(ask, traced)).body.stemma.receipt).toHaveLength(1);
	});

	it("takes them off its budget, before they are made", async () => {
		const key = await addKey({ models: true, tokens_per_day: 20 });
		expect((await send(ask, key)).status).toBe(200);
		const calls = vendor.requests.length;
		const { status, body } = await send({ ...ask, input: "word ".repeat(40) }, key);
		expect([status, body.error.code]).toEqual([429, "budget_exhausted"]);
		expect(vendor.requests.length).toBe(calls);
	});
});

it("gives up with whoever asked", async () => {
	vendor.enqueue({ kind: "silence" });
	const giving = new AbortController();
	const { client_id, client_secret } = testService.credentials;
	const form = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
	const service = testService.current();
	const url = "http://127.0.0.1:4000";
	const given = await service.fetch(new Request(`${url}/oauth/token`, { method: "POST", body: form }));
	const { access_token } = (await given.json()) as { readonly access_token: string };
	const request = new Request(url + PATH, {
		method: "POST",
		body: JSON.stringify(ask),
		headers: { authorization: `Bearer ${access_token}`, "content-type": "application/json" },
		signal: giving.signal,
	});
	const pending = service.fetch(request);
	const calls = vendor.requests.length;
	await expect.poll(() => vendor.requests.length).toBe(calls + 1);
	giving.abort();
	await expect.poll(() => vendor.requests.at(-1)?.isAborted).toBe(true);
	await pending.catch(() => undefined);
});

describe("a workspace with a key for the API that makes the vectors", () => {
	const OPENAI = "https://api.openai.com/v1";
	const OWN_KEY = "sk-of-the-workspace-9c02";
	let keys: string[] = [];
	beforeEach(() => {
		keys = [];
	});

	/** OpenAI's own API is at hand here. */
	async function callNearby(url: string, init?: RequestInit): Promise<Response> {
		expect(url.startsWith(OPENAI)).toBe(true);
		keys.push(String(new Headers(init?.headers).get("authorization")));
		const headers = { ...Object.fromEntries(new Headers(init?.headers)), authorization: `Bearer ${KEY}` };
		return fetch(url.replace(OPENAI, vendor.baseUrl), { ...init, headers });
	}

	it("pays for them, and the model stays", async () => {
		const deployment = await openTestDeployment(
			built,
			{ embeddings: { base_url: OPENAI, model: "text-vectors", credential: { value: KEY } } },
			{ fetch: callNearby },
		);
		const { send: sendOwn } = await deployment.addWorkspace("own");
		const embed = () => getBody<{ stemma: object }>(sendOwn("POST", PATH, { json: ask }));
		expect(await embed()).toMatchObject({ stemma: { receipt: [{ payer: "deployment" }] } });
		const settings = { provider: "openai-compatible", base_url: OPENAI, model: "gpt-any" };
		const json = { ...settings, api_key: OWN_KEY };
		await getBody(sendOwn("PUT", "/v1/workspace/llm-settings", { json }));
		expect(await embed()).toMatchObject({
			model: "text-vectors",
			stemma: { receipt: [{ payer: "workspace", model: "text-vectors", vendor_host: "api.openai.com" }] },
		});
		expect(keys).toEqual([`Bearer ${KEY}`, `Bearer ${OWN_KEY}`]);
		const other = await deployment.addWorkspace("other");
		await getBody(other.send("POST", PATH, { json: ask }));
		expect(keys.at(-1)).toBe(`Bearer ${KEY}`);
		vendor.enqueue({ kind: "failure", status: 401, message: "Incorrect API key provided" });
		const failed = await sendOwn("POST", PATH, { json: ask });
		expectApiError(failed, 502, "invalid_credential");
		expect(failed.text).toContain("`api_key`");
		expect(keys.at(-1)).toBe(`Bearer ${OWN_KEY}`);
		expect(keys).toHaveLength(4);
		await deployment.close();
	});
});
