import type { ResolvedModels, RunRecord, RunResult, SearchResult } from "@stemma/client";
import * as built from "@stemma/service";
import { answerInternalRequest, type InternalRequest } from "@stemma/simulators/internal-requests";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type McpFixture, startMcpFixture } from "../mcp/test-support/mcp-fixture";
import { sendTo } from "../test-support/send-request";
import { getBody, waitUntilIndexed } from "../test-support/tenant";

const FOLLOW_UP = "And what is the price?";
const MESSAGES = [
	{ role: "user", content: "May I come by bicycle?" },
	{ role: "assistant", content: "Yes: a bicycle has a rack of its own." },
	{ role: "user", content: FOLLOW_UP },
] as const;
const RUN = "/v1/agents/reception/run";
const HISTORY = MESSAGES.slice(0, 2);
const TEXTS = [
	"A bicycle rack is eight euros a month.",
	"Lunch is free on Fridays.",
	"The garage opens at nine.",
];

let vendor: OpenAiSimulator;
let fixture: McpFixture;
let unmodelled: McpFixture;
const rewrites: InternalRequest[] = [];
/** Reply of the model to a request to rewrite a question. */
let rewrite: (request: InternalRequest) => string | undefined;
const bases = new Map<McpFixture, string>();

beforeAll(async () => {
	vendor = await startOpenAiSimulator({
		answerInternal(request) {
			if (!request.system.startsWith("You turn")) return answerInternalRequest(request);
			rewrites.push(request);
			return rewrite(request);
		},
	});
	const main = {
		provider: "openai-compatible",
		base_url: vendor.baseUrl,
		default_model: "small",
	} as const;
	fixture = await startMcpFixture(built, { providers: { main }, chat: "main" });
	unmodelled = await startMcpFixture(built, { chat: "extractive" });
	for (const one of [fixture, unmodelled]) await addDocuments(one);
});
afterAll(async () => {
	await fixture?.close();
	await unmodelled?.close();
	await vendor?.close();
});
beforeEach(() => {
	rewrites.length = 0;
	rewrite = () => "bicycle rack euros";
});

async function addDocuments(one: McpFixture): Promise<void> {
	const { send } = one.mine;
	const { id } = await getBody<{ id: string }>(
		send("POST", "/v1/knowledge-bases", { json: { name: "Office" } }),
	);
	for (const text of TEXTS) await send("POST", `/v1/knowledge-bases/${id}/documents`, { json: { text } });
	await waitUntilIndexed(send, id);
	bases.set(one, id);
	const toNode = (node: string) => ({ id: node, kind: "knowledge", knowledgeBases: [id], topK: 1 });
	const graph = {
		nodes: [{ id: "desk", kind: "coordinator" }, toNode("office"), toNode("garage")],
		edges: ["office", "garage"].map((to) => ({ from: "desk", to, mode: "before" })),
	};
	await getBody(send("POST", "/v1/agents", { json: { slug: "reception", graph } }));
}

const runDesk = (messages: readonly object[] = MESSAGES, one = fixture): Promise<RunResult> =>
	getBody(one.mine.send("POST", RUN, { json: { input: { messages } } }));
const search = (json: object, one = fixture): Promise<SearchResult> =>
	getBody(
		one.mine.send("POST", "/v1/search", {
			json: { top_k: 1, knowledge_base_ids: [bases.get(one)], ...json },
		}),
	);
const stagesOf = ({ receipt }: Pick<SearchResult, "receipt">): string[] => receipt.map(({ stage }) => stage);
const textsOf = ({ passages }: SearchResult): string[] => passages.map(({ text }) => text);
/** The passages that the model which answers was given last. */
const readPrompt = (): string => JSON.stringify(vendor.requests.at(-1)?.body);

describe("a knowledge node that a conversation reaches", () => {
	it("searches with what a model makes of the question, once for all nodes of the run", async () => {
		const { receipt, status } = await runDesk();
		expect(status).toBe("completed");
		expect(receipt.map(({ stage, node, payer }) => [stage, node, payer])).toEqual([
			["rewrite", expect.stringMatching(/office|garage/), "deployment"],
			["answer", "desk", "deployment"],
		]);
		expect(receipt[0]?.reason).toBe(
			"The model that answers writes the search queries, and the deployment's endpoint asks for no key.",
		);
		expect(JSON.parse(rewrites[0]?.user ?? "")).toEqual({ conversation: HISTORY, last_question: FOLLOW_UP });
		expect(readPrompt()).toContain(TEXTS[0]);
	});

	it("is paid by whom POST /v1/models/resolve names before", async () => {
		const json = {
			nodes: [{ node: "desk" }, { node: "office", stage: "rewrite" }, { node: "garage", stage: "rewrite" }],
			knowledge_base_ids: [bases.get(fixture)],
		};
		const { data } = await getBody<ResolvedModels>(fixture.mine.send("POST", "/v1/models/resolve", { json }));
		const { receipt } = await runDesk();
		expect(receipt.map(({ stage }) => stage)).toEqual(["rewrite", "answer"]);
		const plan = data.map((row) => ({ stage: "answer", ...row }));
		for (const { node, stage, payer, provider, vendor_host, model, reason } of receipt)
			expect(plan).toContainEqual({ node, stage, payer, provider, vendor_host, model, reason });
	});

	it("asks no model where the conversation has one message", async () => {
		expect(stagesOf(await runDesk([{ role: "user", content: "What does lunch cost?" }]))).toEqual(["answer"]);
		expect(rewrites).toEqual([]);
	});

	it("is searched for by the words of the last messages where no model rewrites", async () => {
		const { output, receipt } = await runDesk(MESSAGES, unmodelled);
		expect(output).toContain("bicycle rack");
		expect(receipt.map(({ stage, payer }) => [stage, payer])).toEqual([["answer", "none"]]);
	});

	it("is searched for by those words where the model fails, as its receipt says", async () => {
		rewrite = () => undefined;
		vendor.enqueue({ kind: "failure", status: 400, message: "The model is asleep." });
		const { status, receipt } = await runDesk();
		expect(status).toBe("completed");
		expect(receipt.map(({ stage }) => stage)).toEqual(["rewrite", "answer"]);
		expect(receipt[0]?.reason).toContain("The call failed: the question was searched for as it is");
		expect(readPrompt()).toContain(TEXTS[0]);
	});

	it("is searched for by those words where the model writes no query", async () => {
		rewrite = () => "I will search:";
		const { receipt } = await runDesk();
		expect(receipt.map(({ stage }) => stage)).toEqual(["rewrite", "answer"]);
		expect(readPrompt()).toContain(TEXTS[0]);
	});

	it("stops the call where its run is cancelled, with the call on the receipt", async () => {
		rewrite = () => undefined;
		vendor.enqueue({ kind: "reply", text: "bicycle", delayMs: 60_000 });
		const { send } = fixture.mine;
		const before = vendor.requests.length;
		const { run_id } = await getBody<{ run_id: string }>(
			send("POST", RUN, { json: { input: { messages: MESSAGES }, background: true } }),
		);
		await vi.waitFor(() => expect(vendor.requests.length).toBe(before + 1), 10_000);
		await send("POST", `/v1/runs/${run_id}/cancel`);
		await vi.waitFor(() => expect(vendor.requests.at(-1)?.isAborted).toBe(true), 10_000);
		const { status, result } = await getBody<RunRecord>(send("GET", `/v1/runs/${run_id}`));
		expect(status).toBe("cancelled");
		expect(result?.receipt).toEqual([
			expect.objectContaining({ stage: "rewrite", payer: "deployment", estimated: true, output_tokens: 0 }),
		]);
		expect(result?.receipt[0]?.input_tokens).toBeGreaterThan(100);
		expect(result?.usage).toMatchObject({ model_calls: 1, input_tokens: result?.receipt[0]?.input_tokens });
	});

	it("ends its run where the budget of a client key does not allow the call, before it is made", async () => {
		const key = await fixture.makeKey({ agents: ["reception"], tokens_per_day: 100 });
		const send = sendTo(fetch, key, fixture.url);
		const before = vendor.requests.length;
		const { body } = await send("POST", RUN, { json: { input: { messages: MESSAGES } } });
		expect(body).toMatchObject({ status: "failed", error: { code: "budget_exhausted" } });
		expect(vendor.requests.length).toBe(before);
	});
});

describe("a search with the conversation before it", () => {
	it("finds what the run finds, and says who paid", async () => {
		const found = await search({ query: FOLLOW_UP, history: HISTORY });
		expect(textsOf(found)).toEqual([TEXTS[0]]);
		expect(stagesOf(found)).toEqual(["rewrite"]);
		const parts = HISTORY.map(({ role, content }) => ({ role, content: [{ type: "text", text: content }] }));
		expect(textsOf(await search({ query: FOLLOW_UP, history: parts }))).toEqual([TEXTS[0]]);
		expect(rewrites[1]).toEqual(rewrites[0]);
	});

	it("without it, or with none of its messages, calls nobody", async () => {
		expect(stagesOf(await search({ query: FOLLOW_UP }))).toEqual([]);
		expect(stagesOf(await search({ query: FOLLOW_UP, history: [] }))).toEqual([]);
		expect(rewrites).toEqual([]);
	});

	it("goes by words where no model rewrites, or the model that is named may not be had", async () => {
		expect(textsOf(await search({ query: FOLLOW_UP, history: HISTORY }, unmodelled))).toEqual([TEXTS[0]]);
		const named = await search({ query: FOLLOW_UP, history: HISTORY, stemma: { model: "huge" } });
		expect([textsOf(named), stagesOf(named)]).toEqual([[TEXTS[0]], []]);
	});

	it("is refused where messages are none", async () => {
		const history = [{ role: "system", content: "Find everything." }];
		const json = { query: FOLLOW_UP, history };
		const { status, body } = await fixture.mine.send("POST", "/v1/search", { json });
		expect([status, body]).toMatchObject([400, { error: { param: "history[0].role" } }]);
	});
});

it("an answer goes by words, too, where the model that rewrites fails", async () => {
	rewrite = () => undefined;
	vendor.enqueue({ kind: "failure", status: 400, message: "The model is asleep." });
	const json = { question: FOLLOW_UP, history: HISTORY, knowledge_base_ids: [bases.get(fixture)] };
	const answer = await getBody<SearchResult>(fixture.mine.send("POST", "/v1/ask", { json }));
	expect(stagesOf(answer)).toEqual(["rewrite", "score", "answer"]);
	expect(answer.receipt[0]?.reason).toContain("The call failed");
});
