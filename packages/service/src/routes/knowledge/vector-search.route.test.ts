import * as built from "@stemma/service";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { type RerankerSimulator, startRerankerSimulator } from "@stemma/simulators/reranker";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
	openTestDeployment,
	type TestDeployment,
	type TestWorkspace,
} from "../../test-support/test-deployment";

const OPENAI = "https://api.openai.com/v1";
const DEPLOYMENT_KEY = "sk-of-the-host";
const WORKSPACE_KEY = "sk-of-the-workspace";
const encryption = { keys: [{ id: "one", key: { value: Buffer.alloc(32, 7).toString("base64") } }] };

describe("a deployment whose embedding model is OpenAI's", () => {
	let vendor: OpenAiSimulator;
	let deployment: TestDeployment;
	let workspace: TestWorkspace;
	let knowledgeBase: string;

	/** OpenAI's own address leads to the stand-in. */
	const redirectToVendor = (url: string, init: RequestInit): Promise<Response> => {
		if (!url.startsWith(OPENAI)) throw new Error(`${url} is not called here.`);
		return fetch(vendor.baseUrl + url.slice(OPENAI.length), init);
	};

	beforeAll(async () => {
		vendor = await startOpenAiSimulator();
		deployment = await openTestDeployment(
			built,
			{
				encryption,
				embeddings: {
					base_url: OPENAI,
					credential: { value: DEPLOYMENT_KEY },
					model: "text-embedding-3-small",
					dimensions: 64,
				},
			},
			{ fetch: redirectToVendor },
		);
		workspace = await deployment.addWorkspace("one");
		knowledgeBase = await addKnowledgeBase("Office");
		await upload("The office opens at nine and closes at five.");
	});
	afterAll(async () => {
		await deployment.close();
		await vendor.close();
	});

	async function addKnowledgeBase(name: string): Promise<string> {
		const { body } = await workspace.send("POST", "/v1/knowledge-bases", { json: { name } });
		return (body as { id: string }).id;
	}
	async function upload(text: string): Promise<void> {
		await workspace.send("POST", `/v1/knowledge-bases/${knowledgeBase}/documents`, { json: { text } });
		await vi.waitFor(async () => {
			const { body } = await workspace.send("GET", `/v1/knowledge-bases/${knowledgeBase}`);
			const { documents } = body as { documents: { total: number; ready: number } };
			expect(documents.ready).toBe(documents.total);
		}, 30_000);
	}
	const search = async () => {
		const json = { query: "When does the office open?", knowledge_base_ids: [knowledgeBase] };
		const { status, body } = await workspace.send("POST", "/v1/search", { json });
		return { status, ...(body as { passages: unknown[]; receipt: { stage: string; payer: string }[] }) };
	};
	const listUsedKeys = (): string[] =>
		vendor.requests.map(({ headers }) => String(headers.authorization).replace("Bearer ", ""));
	const setOwn = (base_url: string) =>
		workspace.send("PUT", "/v1/workspace/llm-settings", {
			json: { provider: "openai-compatible", base_url, model: "gpt-own", api_key: WORKSPACE_KEY },
		});

	it("makes vectors of passages and questions, and pays", async () => {
		const found = await search();
		expect(found.passages).toHaveLength(1);
		expect(found.receipt).toMatchObject([
			{ stage: "embed", payer: "deployment", model: "text-embedding-3-small" },
		]);
		expect(new Set(listUsedKeys())).toEqual(new Set([DEPLOYMENT_KEY]));
		const { body } = await workspace.send("GET", "/v1/usage");
		const rows = (body as { data: { stage: string; payer: string; calls: number }[] }).data;
		expect(rows).toContainEqual(expect.objectContaining({ stage: "index", payer: "deployment", calls: 1 }));
	});

	it("takes the workspace's key where that is for the same API, and the model stays", async () => {
		await setOwn(OPENAI);
		const requestCount = vendor.requests.length;
		const found = await search();
		await upload("Parking is free.");
		expect(found.receipt).toMatchObject([
			{ stage: "embed", payer: "workspace", model: "text-embedding-3-small" },
		]);
		expect(listUsedKeys().slice(requestCount)).toEqual([WORKSPACE_KEY, WORKSPACE_KEY]);
		const models = vendor.requests.slice(requestCount).map(({ body }) => body?.model);
		expect(models).toEqual(["text-embedding-3-small", "text-embedding-3-small"]);
	});

	it("keeps the workspace's key to itself where that is for another API", async () => {
		await setOwn("https://models.example/v1");
		const requestCount = vendor.requests.length;
		expect((await search()).receipt).toMatchObject([{ stage: "embed", payer: "deployment" }]);
		expect(listUsedKeys().slice(requestCount)).toEqual([DEPLOYMENT_KEY]);
	});

	it.each([
		["/v1/search", { query: "When does the office open?" }],
		["/v1/ask", { question: "When does the office open?" }],
	])("pays for nothing where a knowledge base is gone: %s", async (path, question) => {
		const gone = await addKnowledgeBase("Gone");
		await workspace.send("DELETE", `/v1/knowledge-bases/${gone}`);
		const requestCount = vendor.requests.length;
		const json = { ...question, knowledge_base_ids: [knowledgeBase, gone] };
		const { status, body } = await workspace.send("POST", path, { json });
		expect([status, body]).toMatchObject([404, { error: { code: "knowledge_base_not_found" } }]);
		expect(vendor.requests.length).toBe(requestCount);
	});

	it("names no field that a search lacks, where it is refused", async () => {
		const update = (llm_provider: string | null) =>
			workspace.send("PATCH", `/v1/knowledge-bases/${knowledgeBase}`, { json: { llm_provider } });
		const query = {
			query: "When does the office open?",
			knowledge_base_ids: [knowledgeBase],
			min_score: 0.5,
		};
		const refusalOf = async (more: object) => {
			const { body } = await workspace.send("POST", "/v1/search", { json: { ...query, ...more } });
			return (body as { error: { code: string; param?: string } }).error;
		};
		await update("bedrock");
		const refused = await refusalOf({});
		const chosen = await refusalOf({ stemma: { provider: "bedrock" } });
		await update(null);
		expect(refused.code).toMatch(/\w/);
		expect(refused).not.toHaveProperty("param");
		expect(chosen.param).toBe("model");
	});

	it("still quotes nothing that shares no word with a question", async () => {
		await workspace.send("DELETE", "/v1/workspace/llm-settings");
		const json = { question: "Quelle heure ouvrent les bureaux?", knowledge_base_ids: [knowledgeBase] };
		const { body } = await workspace.send("POST", "/v1/ask", { json });
		expect(body).toMatchObject({ refused: "no_relevant_passages" });
	});

	it("shows the space that a knowledge base is pinned to", async () => {
		const { body } = await workspace.send("GET", `/v1/knowledge-bases/${knowledgeBase}`);
		expect(body).toMatchObject({
			embedding: { model: "text-embedding-3-small", dimensions: 64, in_use: true },
		});
	});
});

describe("a deployment with a reranker", () => {
	let vendor: RerankerSimulator;
	let deployment: TestDeployment;
	let workspace: TestWorkspace;
	let knowledgeBase: string;

	beforeAll(async () => {
		vendor = await startRerankerSimulator({ vendor: "cohere" });
		deployment = await openTestDeployment(built, {
			rerank: { provider: "cohere", base_url: vendor.baseUrl, model: "rerank-v3.5" },
		});
		workspace = await deployment.addWorkspace("one");
		const { body } = await workspace.send("POST", "/v1/knowledge-bases", { json: { name: "Office" } });
		knowledgeBase = (body as { id: string }).id;
		for (const text of ["The office does open at nine.", "The office has a garden.", "Cats sleep."])
			await workspace.send("POST", `/v1/knowledge-bases/${knowledgeBase}/documents`, { json: { text } });
		await vi.waitFor(async () => {
			const found = await workspace.send("GET", `/v1/knowledge-bases/${knowledgeBase}`);
			expect((found.body as { documents: { ready: number } }).documents.ready).toBe(3);
		}, 30_000);
	});
	afterAll(async () => {
		await deployment.close();
		await vendor.close();
	});

	it("has it score what is searched for, and takes a minimum score", async () => {
		const json = { query: "When does the office open?", knowledge_base_ids: [knowledgeBase] };
		const { body } = await workspace.send("POST", "/v1/search", { json });
		const { passages, receipt } = body as {
			passages: { text: string; score: number }[];
			receipt: object[];
		};
		expect(receipt).toMatchObject([{ stage: "score", payer: "deployment", model: "rerank-v3.5" }]);
		expect(passages[0]?.text).toBe("The office does open at nine.");
		expect(passages.map(({ score }) => score)).toEqual(
			passages.map(({ score }) => score).toSorted((one, other) => other - one),
		);
		const best = passages[0]?.score ?? 0;
		const minScored = await workspace.send("POST", "/v1/search", { json: { ...json, min_score: best } });
		expect((minScored.body as { passages: object[] }).passages).toHaveLength(1);
	});

	it("scores with it also where the built-in model answers", async () => {
		const json = { question: "When does the office open?", knowledge_base_ids: [knowledgeBase] };
		const { body } = await workspace.send("POST", "/v1/ask", { json });
		const { receipt } = body as { receipt: { stage: string; payer: string }[] };
		expect(receipt.map(({ stage, payer }) => [stage, payer])).toEqual([
			["score", "deployment"],
			["answer", "none"],
		]);
	});
});

it("leaves to a model what was found by its meaning alone, where nothing judged it", async () => {
	const vendor = await startOpenAiSimulator({
		answerInternal: ({ system }) => (system.startsWith("You judge") ? "The first one." : undefined),
	});
	const deployment = await openTestDeployment(built, {
		providers: { main: { provider: "openai-compatible", base_url: vendor.baseUrl, default_model: "m" } },
		chat: "main",
		embeddings: { base_url: vendor.baseUrl, model: "e" },
	});
	const { send } = await deployment.addWorkspace("one");
	const { id } = (await send("POST", "/v1/knowledge-bases", { json: { name: "Büro" } })).body as {
		id: string;
	};
	const text = "Das Büro öffnet um neun.";
	await send("POST", `/v1/knowledge-bases/${id}/documents`, { json: { text } });
	await vi.waitFor(async () => {
		const { body } = await send("GET", `/v1/knowledge-bases/${id}`);
		expect(body).toMatchObject({ documents: { ready: 1 } });
	}, 30_000);
	const json = { question: "When can I come in?", knowledge_base_ids: [id] };
	const { body } = await send("POST", "/v1/ask", { json });
	expect(body).toMatchObject({ answer: "Das Büro öffnet um neun [1]." });
	await deployment.close();
	await vendor.close();
});

describe("documents that wait because the vendor refuses the workspace's key", () => {
	let vendor: OpenAiSimulator;
	let deployment: TestDeployment;
	beforeAll(async () => {
		vendor = await startOpenAiSimulator({ apiKey: DEPLOYMENT_KEY });
		deployment = await openTestDeployment(
			built,
			{
				encryption,
				embeddings: {
					base_url: OPENAI,
					credential: { value: DEPLOYMENT_KEY },
					model: "text-embedding-3-small",
				},
			},
			{ fetch: (url, init) => fetch(vendor.baseUrl + url.slice(OPENAI.length), init) },
		);
	});
	afterAll(async () => {
		await deployment?.close();
		await vendor?.close();
	});

	const SETTINGS = "/v1/workspace/llm-settings";
	const toSettings = (api_key: string) => ({
		json: { provider: "openai-compatible", base_url: OPENAI, model: "gpt-own", api_key },
	});

	it.each<[change: string, paid: object, mend: (workspace: TestWorkspace) => Promise<{ status: number }>]>([
		[
			"the workspace sets another",
			{ payer: "workspace", calls: 2 },
			({ send }) => send("PUT", SETTINGS, toSettings(DEPLOYMENT_KEY)),
		],
		[
			"the workspace clears its settings",
			{ payer: "deployment", calls: 1 },
			({ send }) => send("DELETE", SETTINGS),
		],
	])("get their vectors as soon as %s", async (change, paid, mend) => {
		const workspace = await deployment.addWorkspace(change);
		const { send } = workspace;
		expect((await send("PUT", SETTINGS, toSettings("sk-revoked"))).status).toBe(200);
		const { body } = await send("POST", "/v1/knowledge-bases", { json: { name: "Office" } });
		const base = `/v1/knowledge-bases/${(body as { id: string }).id}`;
		const requestCount = vendor.requests.length;
		const text = "The office opens at nine and closes at five.";
		await send("POST", `${base}/documents`, { json: { text } });
		await expect.poll(() => vendor.requests.length).toBeGreaterThan(requestCount);
		const refusals = vendor.requests.length;
		const readStatus = async () => {
			const { body: page } = await send("GET", `${base}/documents`);
			return (page as { data: { status: string }[] }).data[0]?.status;
		};
		expect(await readStatus()).not.toBe("ready");
		expect((await mend(workspace)).status).toBe(200);
		// Without a change the queue pauses for 45 seconds at least.
		await expect.poll(readStatus).toBe("ready");
		expect(vendor.requests.length).toBe(refusals + 1);
		const usage = await send("GET", "/v1/usage?stage=index");
		expect((usage.body as { data: unknown[] }).data).toContainEqual(expect.objectContaining(paid));
	});
});
