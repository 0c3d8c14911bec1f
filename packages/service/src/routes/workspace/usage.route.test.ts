import type { UsageRow } from "@stemma/client";
import type { ReceiptRow } from "@stemma/core";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { getToken, startTestService, type TestService } from "../../http/test-support/test-service";
import { readStored } from "../../test-support/read-stored";

let vendor: OpenAiSimulator;
let service: TestService;
let knowledgeBase: string;
let agent: string;

beforeAll(async () => {
	vendor = await startOpenAiSimulator();
	service = await startTestService({
		providers: {
			main: { provider: "openai-compatible", base_url: vendor.baseUrl, default_model: "gpt-test" },
		},
		chat: "main",
	});
	knowledgeBase = (await service.send("/v1/knowledge-bases", { json: { name: "Office" } })).body.id;
	const documents = `/v1/knowledge-bases/${knowledgeBase}/documents`;
	await service.send(documents, { json: { text: "The office opens at nine and closes at five." } });
	await vi.waitFor(async () => {
		const { body } = await service.send(`/v1/knowledge-bases/${knowledgeBase}`);
		expect(body.documents.ready).toBe(1);
	}, 30_000);
	const graph = {
		nodes: [
			{ id: "desk", kind: "coordinator", instructions: "Answer." },
			{ id: "books", kind: "knowledge", knowledgeBases: [knowledgeBase] },
		],
		edges: [{ from: "desk", to: "books", mode: "before" }],
	};
	agent = (await service.send("/v1/agents", { json: { graph, slug: "desk" } })).body.id;
});
afterAll(async () => {
	await service.end();
	await vendor.close();
});

const question = "When does the office open and close?";
const ask = (json: object = {}, headers = {}) =>
	service.send("/v1/ask", { json: { question, knowledge_base_ids: [knowledgeBase], ...json }, headers });
const run = (json: object = {}) =>
	service.send(`/v1/agents/${agent}/run`, { json: { input: question, ...json } });
const complete = (json: object = {}) =>
	service.send("/v1/chat/completions", {
		json: { model: "default", messages: [{ role: "user", content: question }], ...json },
	});
const read = async (query = "", credential?: string): Promise<readonly UsageRow[]> =>
	(await service.send(`/v1/usage${query}`, credential === undefined ? {} : { credential })).body.data;

/** Reads what is stored. */
const readReceipts = (): Promise<readonly ReceiptRow[]> =>
	readStored(service.configuration(), service.credentials.workspace_id, async (queries) => {
		const rows = await queries.selectFrom("receipts").select("receipt").orderBy("number").execute();
		return rows.map(({ receipt }) => JSON.parse(receipt) as ReceiptRow);
	});

const sum = <Row>(rows: readonly Row[], count: (row: Row) => number): number =>
	rows.reduce((total, row) => total + count(row), 0);
const countCalls = (rows: readonly UsageRow[]): number => sum(rows, ({ calls }) => calls);

/** Waits until each request to the vendor has its row. */
const waitUntilCounted = () =>
	expect.poll(async () => countCalls(await read()) - vendor.requests.length).toBe(0);

/** Leaves while the answer comes in. */
async function abortCompletion(): Promise<void> {
	vendor.enqueue({ kind: "reply", text: "It opens at nine and", fault: { kind: "stall", after: 3 } });
	const gone = new AbortController();
	const headers = {
		authorization: `Bearer ${await getToken(service.current(), service.credentials)}`,
		"content-type": "application/json",
	};
	const body = JSON.stringify({
		...{ model: "default", stream: true },
		messages: [{ role: "user", content: question }],
	});
	const request = { method: "POST", headers, body, signal: gone.signal };
	const answer = await service
		.current()
		.fetch(new Request("http://127.0.0.1:4000/v1/chat/completions", request));
	gone.abort();
	await answer.body?.cancel();
}

const fail = () => vendor.enqueue({ kind: "failure", status: 400 });

it("each call is counted once, whatever it was made for and however it ended", async () => {
	const headers = { "idempotency-key": "a" };
	const { body: answer } = await ask({}, headers);
	expect(answer.receipt.length).toBeGreaterThan(0);
	expect(vendor.requests).toHaveLength(answer.receipt.length);
	expect((await ask({}, headers)).body).toEqual(answer);
	await waitUntilCounted();
	expect((await ask({ stream: true })).body).toContain("ask.completed");
	await waitUntilCounted();
	expect((await run()).body.status).toBe("completed");
	expect((await run({ stream: true })).body).toContain("run.completed");
	await waitUntilCounted();
	expect((await complete()).status).toBe(200);
	expect((await complete({ stream: true })).body).toContain("[DONE]");
	const stemma = { stage: "rewrite", run_id: "run_1", node: "desk" };
	vendor.enqueue({ kind: "reply", text: "nine", usage: { inputTokens: 11, outputTokens: 3 } });
	expect((await complete({ stemma })).status).toBe(200);
	await waitUntilCounted();
	fail();
	expect((await complete()).status).toBeGreaterThanOrEqual(400);
	fail();
	expect((await run()).body.status).toBe("failed");
	await abortCompletion();
	await waitUntilCounted();

	const receipts = await readReceipts();
	expect(receipts).toHaveLength(vendor.requests.length);
	const stages = [...new Set(receipts.map(({ stage }) => stage))].sort();
	const common = { provider: "openai-compatible", model: "gpt-test", cached_tokens: 0 };
	const day = new Date().toISOString().slice(0, 10);
	const rows = await read();
	expect(rows).toEqual(
		stages.map((stage) => ({ ...common, day, payer: "deployment", stage, ...summed(receipts, stage) })),
	);
	expect(rows).toContainEqual(
		expect.objectContaining({ stage: "rewrite", calls: 1, input_tokens: 11, output_tokens: 3 }),
	);
	expect(sum(rows, (row) => row.estimated_calls)).toBe(1);
});

const summed = (receipts: readonly ReceiptRow[], stage: string): Partial<UsageRow> => {
	const chosen = receipts.filter((receipt) => receipt.stage === stage);
	return {
		calls: chosen.length,
		input_tokens: sum(chosen, (row) => row.input_tokens),
		output_tokens: sum(chosen, (row) => row.output_tokens),
		estimated_calls: chosen.filter(({ estimated }) => estimated).length,
	};
};

it("what is asked for is told with the days that it is of", async () => {
	const today = new Date().toISOString().slice(0, 10);
	const { body } = await service.send("/v1/usage");
	expect([body.to, body.data.length > 0]).toEqual([today, true]);
	expect(Date.parse(body.to) - Date.parse(body.from)).toBe(30 * 24 * 60 * 60 * 1000);
	expect(await read(`?from=${today}&to=${today}`)).toEqual(body.data);
	expect(await read("?from=2024-01-01&to=2024-12-31")).toEqual([]);
	expect(new Set((await read("?stage=rewrite")).map(({ stage }) => stage))).toEqual(new Set(["rewrite"]));
	expect(await read("?payer=workspace")).toEqual([]);
	expect(await read("?payer=deployment&stage=answer")).toHaveLength(1);
});

it.each([
	["?from=2026-02-31", "invalid_request", "from", /must be a day such as 2026-01-31/],
	["?to=yesterday", "invalid_request", "to", /must be a day such as 2026-01-31/],
	["?to=", "invalid_request", "to", /must be a day/],
	["?from=2026-02-02&to=2026-02-01", "invalid_request", "from", /must not be after/],
	["?from=2999-01-01", "invalid_request", "from", /which is today/],
	["?from=2024-01-01&to=2026-01-01", "invalid_request", "from", /400 days at most/],
	["?payer=me", "invalid_request", "payer", /one of "workspace"/],
	["?stage=answr", "invalid_request", "stage", /Did you mean "answer"/],
	["?day=2026-01-31", "unknown_field", "day", /not a known field/],
])("%s is refused", async (query, code, param, message) => {
	const { status, body } = await service.send(`/v1/usage${query}`);
	expect([status, body.error.code, body.error.param]).toEqual([400, code, param]);
	expect(body.error.message).toMatch(message);
});

it("needs the scope settings:read", async () => {
	const credential = await getToken(service.current(), service.credentials, "ask");
	const answer = await service.send("/v1/usage", { credential });
	expect([answer.status, answer.body.error.details]).toEqual([403, { scopes: ["settings:read"] }]);
	const forKeys = await service.send("/v1/usage", { credential: service.credentials.client_key });
	expect([forKeys.status, forKeys.body.error.code]).toEqual([403, "not_allowed_for_client_key"]);
});

it("another workspace has used nothing, and all is still there after a restart", async () => {
	const other = await service.current().createWorkspace("other");
	expect(await read("", await getToken(service.current(), other))).toEqual([]);
	const mine = await read();
	expect(mine.length).toBeGreaterThan(0);
	await service.restart();
	expect(await read()).toEqual(mine);
});
