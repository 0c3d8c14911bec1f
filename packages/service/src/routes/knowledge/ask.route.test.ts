import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { getToken, startTestService, type TestService } from "../../http/test-support/test-service";
import { readStored } from "../../test-support/read-stored";

let vendor: OpenAiSimulator;
let service: TestService;
let knowledgeBase: string;

beforeAll(async () => {
	vendor = await startOpenAiSimulator();
	service = await startTestService({
		limits: { upload_bytes: 20_000 },
		providers: {
			main: { provider: "openai-compatible", base_url: vendor.baseUrl, default_model: "gpt-test" },
		},
		chat: "main",
	});
	knowledgeBase = (await service.send("/v1/knowledge-bases", { json: { name: "Office" } })).body.id;
	await add({ text: "The office opens at nine and closes at five." });
	await vi.waitFor(async () => {
		const { body } = await service.send(`/v1/knowledge-bases/${knowledgeBase}`);
		expect(body.documents.ready).toBe(1);
	}, 30_000);
});
afterAll(async () => {
	await service.end();
	await vendor.close();
});

const add = (json: object) => service.send(`/v1/knowledge-bases/${knowledgeBase}/documents`, { json });

/** Those that are asked to answer, and not to judge passages. */
const countAnswers = (): number =>
	vendor.requests.filter(({ body }) => !JSON.stringify(body ?? {}).includes("You judge how well passages"))
		.length;

const question = { question: "When does the office open and close?" };

it("keeps no answer that was cut off for the next who asks with the same key", async () => {
	const token = await getToken(service.current(), service.credentials);
	const headers = { "idempotency-key": "once" };
	const json = { ...question, knowledge_base_ids: [knowledgeBase] };
	vendor.enqueue({ kind: "reply", text: "It opens at nine and", fault: { kind: "stall", after: 3 } });
	const gone = new AbortController();
	const answerCount = countAnswers();
	const aborted = service.current().fetch(
		new Request("http://127.0.0.1:4000/v1/ask", {
			method: "POST",
			body: JSON.stringify(json),
			headers: { ...headers, authorization: `Bearer ${token}`, "content-type": "application/json" },
			signal: gone.signal,
		}),
	);
	await expect.poll(countAnswers).toBe(answerCount + 1);
	gone.abort();
	expect((await aborted).status).toBe(409);
	vendor.enqueue({ kind: "reply", text: "It opens at nine and closes at five [1]." });
	const again = await service.send("/v1/ask", { json, headers });
	expect(again.body.answer).toBe("It opens at nine and closes at five [1].");
	expect((await service.send("/v1/ask", { json, headers })).body).toEqual(again.body);
	expect(countAnswers()).toBe(answerCount + 2);
});

it("puts no receipt onto a run that the caller only names", async () => {
	const graph = { nodes: [{ id: "desk", kind: "coordinator" }] };
	await service.send("/v1/agents", { json: { slug: "desk", graph } });
	vendor.enqueue({ kind: "silence" });
	const { id } = (await service.send("/v1/agents/desk/run", { json: { input: "?", background: true } })).body;
	const messages = [{ role: "user", content: "hi" }];
	const stemma = { run_id: id, node: "spoofed" };
	expect(
		(await service.send("/v1/chat/completions", { json: { model: "default", messages, stemma } })).status,
	).toBe(200);
	const listReceipts = () =>
		readStored(service.configuration(), service.credentials.workspace_id, (queries) =>
			queries.selectFrom("receipts").select("run_id").where("receipt", "like", "%spoofed%").execute(),
		);
	await expect.poll(listReceipts).toEqual([{ run_id: null }]);
	await service.send(`/v1/runs/${id}/cancel`, { method: "POST" });
});

it.each([
	["text beyond the limit of uploads", { text: "x".repeat(20_001) }, 413, "body_too_large"],
	["metadata without end", { text: "Hi.", metadata: { a: "x".repeat(17_000) } }, 400, "invalid_request"],
])("refuses %s", async (_, json, status, code) => {
	const answer = await add(json);
	expect([answer.status, answer.body.error.code]).toEqual([status, code]);
});

describe("a knowledge base that names a model", () => {
	const path = () => `/v1/knowledge-bases/${knowledgeBase}`;
	const choose = (json: object) => service.send(path(), { method: "PATCH", json });
	const ask = (knowledge_base_ids = [knowledgeBase]) =>
		service.send("/v1/ask", { json: { ...question, knowledge_base_ids } });
	const payerOf = ({ body }: { body: { receipt: { payer: string }[] } }) => body.receipt[0]?.payer;

	afterAll(() => choose({ llm_provider: null, llm_model: null }));

	it("has its say, also that the built-in one shall quote at nobody's cost", async () => {
		expect(payerOf(await ask())).toBe("deployment");
		await choose({ llm_provider: "extractive", llm_model: null });
		expect(payerOf(await ask())).toBe("none");
	});

	it.each([
		["credential_required", { llm_provider: "bedrock", llm_model: null }],
		["model_not_allowed", { llm_provider: null, llm_model: "gpt-huge" }],
	])("is refused with %s what it may not have, before anything is called", async (code, choice) => {
		await choose(choice);
		const answerCount = countAnswers();
		const { status, body } = await ask();
		expect([status, body.error.code]).toEqual([422, code]);
		const graph = {
			nodes: [
				{ id: "desk", kind: "coordinator" },
				{ id: "office", kind: "knowledge", knowledgeBases: [knowledgeBase] },
			],
			edges: [{ from: "desk", to: "office" }],
		};
		await service.send("/v1/agents", { json: { slug: `reader-${code.replaceAll("_", "-")}`, graph } });
		const run = await service.send(`/v1/agents/reader-${code.replaceAll("_", "-")}/run`, {
			json: { input: "?" },
		});
		expect(run.body.error.code).toBe(code);
		expect(countAnswers()).toBe(answerCount);
	});

	it("has none beside another", async () => {
		const other = (await service.send("/v1/knowledge-bases", { json: { name: "Other" } })).body.id;
		expect(payerOf(await ask([knowledgeBase, other]))).toBe("deployment");
	});

	it("is chosen with settings:write alone", async () => {
		const token = await getToken(service.current(), service.credentials, "knowledge:write");
		const refused = await service.send(path(), {
			method: "PATCH",
			json: { llm_model: "gpt-test" },
			credential: token,
		});
		expect([refused.status, refused.body.error.code]).toEqual([403, "missing_scope"]);
		const renamed = await service.send(path(), {
			method: "PATCH",
			json: { name: "Bureau" },
			credential: token,
		});
		expect(renamed.status).toBe(200);
	});
});

describe("what cannot be asked", () => {
	it.each([
		[
			"a knowledge base that is not there",
			{ knowledge_base_ids: ["kb_none"] },
			404,
			"knowledge_base_not_found",
		],
		["a provider that is not there", { model: { provider: "none" } }, 422, "provider_not_configured"],
	])(
		"%s is refused with a status, also where the answer would be streamed",
		async (_, over, status, code) => {
			for (const stream of [true, false]) {
				const json = { ...question, knowledge_base_ids: [knowledgeBase], stream, ...over };
				const answered = await service.send("/v1/ask", { json });
				expect({ status: answered.status, code: answered.body.error.code }).toEqual({ status, code });
			}
		},
	);
});
