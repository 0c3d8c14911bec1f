import type { KnowledgeDocument, UsageRow } from "@stemma/client";
import type { ReceiptRow, RunError } from "@stemma/core";
import * as built from "@stemma/service";
import type { Behaviour as EmbeddingBehaviour } from "@stemma/simulators/openai";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import type { Behaviour as RerankerBehaviour } from "@stemma/simulators/reranker";
import { type RerankerSimulator, startRerankerSimulator } from "@stemma/simulators/reranker";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readApiError } from "./test-support/expect-error";
import type { SendRequest } from "./test-support/send-request";
import { withShortenedMinutes } from "./test-support/shortened-minutes";
import { getBody, waitUntilIndexed } from "./test-support/tenant";
import { openTestDeployment, type TestDeployment } from "./test-support/test-deployment";
import { MARKER } from "./test-support/vendor-faults";

const OPENAI = "https://api.openai.com/v1";
const KEYS = { deployment: "sk-of-the-host-1f2e", workspace: "sk-of-the-workspace-9c02" };
const QUESTION = "When does the office open?";
const lines: string[] = [];
const logger = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });

/** What a vendor does that is no chat model, and what is told of it. */
interface Fault<Behaviour> {
	readonly behaviour: Behaviour;
	readonly status: number;
	readonly code: string;
	/** Default 1. */
	readonly attempts?: number;
	readonly isUnbilled?: true;
	readonly hintNames: "key" | "address" | RegExp;
	readonly retryAfter?: number;
}

type SharedBehaviour = EmbeddingBehaviour & RerankerBehaviour;

const refusal = (status: number, headers: Readonly<Record<string, string>> = {}): SharedBehaviour => ({
	kind: "failure",
	status,
	headers,
	message: `Failed: ${MARKER}`,
});
const raw = (body: string, type = "application/json"): SharedBehaviour => ({
	kind: "raw",
	headers: { "content-type": type },
	body,
});
const TRY_AGAIN = /Try again/;

const SHARED: Readonly<Record<string, Fault<SharedBehaviour>>> = {
	"401": {
		behaviour: refusal(401),
		status: 502,
		code: "invalid_credential",
		isUnbilled: true,
		hintNames: "key",
	},
	"429 that asks to wait": {
		behaviour: refusal(429, { "retry-after": "40" }),
		status: 429,
		code: "rate_limited",
		isUnbilled: true,
		hintNames: /40 s/,
		retryAfter: 40,
	},
	"500": { behaviour: refusal(500), status: 502, code: "overloaded", attempts: 3, hintNames: TRY_AGAIN },
	silence: { behaviour: { kind: "silence" }, status: 504, code: "timeout", hintNames: TRY_AGAIN },
	HTML: {
		behaviour: raw(`<!doctype html><p>${MARKER}`, "text/html"),
		status: 502,
		code: "bad_response",
		hintNames: "address",
	},
};

const toVectors = (...vectors: readonly (readonly unknown[])[]): SharedBehaviour =>
	raw(JSON.stringify({ data: vectors.map((embedding, index) => ({ index, embedding })), note: MARKER }));
const BAD_RESPONSE = { status: 502, code: "bad_response", hintNames: "address" } as const;

const EMBEDDING_FAULTS: Readonly<Record<string, Fault<EmbeddingBehaviour>>> = {
	...SHARED,
	"too many vectors": {
		...BAD_RESPONSE,
		behaviour: toVectors([1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8]),
	},
	"no vectors": { ...BAD_RESPONSE, behaviour: toVectors() },
	"a vector of another length": {
		...BAD_RESPONSE,
		code: "bad_request",
		hintNames: /`dimensions`/,
		behaviour: toVectors([1, 2, 3]),
	},
	"a vector that is none": { ...BAD_RESPONSE, behaviour: toVectors([1, 2, 3, 4, null, 6, 7, 8]) },
};

const toScores = (...indexes: readonly number[]): SharedBehaviour =>
	raw(JSON.stringify({ results: indexes.map((index) => ({ index, relevance_score: 0.5 })), note: MARKER }));

const RERANKER_FAULTS: Readonly<Record<string, Fault<RerankerBehaviour>>> = {
	...SHARED,
	"scores of what was not asked": {
		...BAD_RESPONSE,
		hintNames: /one score for each/,
		behaviour: toScores(0, 7),
	},
	"no scores": { ...BAD_RESPONSE, behaviour: raw(JSON.stringify({ note: MARKER })) },
};

/** A workspace with a document. */
interface SearchFixture {
	readonly send: SendRequest;
	readonly knowledgeBase: string;
}

async function addDocument({ send, knowledgeBase }: SearchFixture, text: string): Promise<KnowledgeDocument> {
	const path = `/v1/knowledge-bases/${knowledgeBase}/documents`;
	const added = await getBody<{ readonly data: readonly KnowledgeDocument[] }>(
		send("POST", path, { json: { text } }),
	);
	const [document] = added.data;
	if (document === undefined) throw new Error("One was added.");
	return document;
}

async function prepare(send: SendRequest): Promise<SearchFixture> {
	const { id } = await getBody<{ readonly id: string }>(
		send("POST", "/v1/knowledge-bases", { json: { name: "Office" } }),
	);
	await addDocument({ send, knowledgeBase: id }, "The office opens at nine and closes at five.");
	await waitUntilIndexed(send, id);
	return { send, knowledgeBase: id };
}

const search = ({ send, knowledgeBase }: SearchFixture) =>
	withShortenedMinutes(() =>
		send("POST", "/v1/search", { json: { query: QUESTION, knowledge_base_ids: [knowledgeBase] } }),
	);

/** A failed search tells all of the call. */
async function expectFailure(
	fixture: SearchFixture,
	fault: Fault<unknown>,
	row: Partial<ReceiptRow>,
): Promise<void> {
	const { status, code, hintNames, attempts = 1, isUnbilled, retryAfter } = fault;
	const answer = await search(fixture);
	expect([answer.status, readApiError(answer).code], answer.text).toEqual([status, code]);
	const { error } = answer.body as { readonly error: RunError };
	expect(error.hint).toMatch(hintNames instanceof RegExp ? hintNames : toName(hintNames, row.payer));
	expect(error.hint).not.toMatch(/`apiKey`|`baseUrl`|`timeouts/);
	expect(answer.headers.get("retry-after")).toBe(retryAfter === undefined ? null : String(retryAfter));
	// As the API says.
	const receipt = error.details?.receipt as unknown as readonly ReceiptRow[];
	expect(receipt).toHaveLength(1);
	const [receiptRow] = receipt;
	expect(receiptRow).toMatchObject({ ...row, attempts });
	expect(receiptRow?.estimated ?? false).toBe(!isUnbilled);
	expect((receiptRow?.input_tokens ?? 0) > 0).toBe(!isUnbilled);
	expect(answer.text).not.toContain(MARKER);
}

const toName = (hintNames: "key" | "address", payer: unknown): string =>
	hintNames === "address" ? "`base_url`" : payer === "workspace" ? "`api_key`" : "`credential`";

const times = <Behaviour>({ behaviour, attempts = 1 }: Fault<Behaviour>): Behaviour[] =>
	Array.from({ length: attempts }, () => behaviour);

describe.each(["deployment", "workspace"] as const)("an embedding model on the key of the %s", (payer) => {
	let vendor: OpenAiSimulator;
	let deployment: TestDeployment;
	let fixture: SearchFixture;

	beforeAll(async () => {
		vendor = await startOpenAiSimulator({ apiKey: KEYS[payer] });
		const embeddings = {
			base_url: OPENAI,
			credential: { value: KEYS.deployment },
			model: "text-embedding-3-small",
			dimensions: 8,
		};
		// OpenAI's own address leads to the stand-in.
		const redirectToVendor = (url: string, init: RequestInit): Promise<Response> =>
			fetch(url.replace(OPENAI, vendor.baseUrl), init);
		deployment = await openTestDeployment(built, { embeddings }, { logger, fetch: redirectToVendor });
		const { send } = await deployment.addWorkspace("one");
		if (payer === "workspace") {
			const json = { provider: "openai-compatible", base_url: OPENAI, model: "m", api_key: KEYS.workspace };
			await getBody(send("PUT", "/v1/workspace/llm-settings", { json }));
		}
		fixture = await prepare(send);
	});
	afterAll(async () => {
		await deployment.close();
		await vendor.close();
	});

	it.each(Object.entries(EMBEDDING_FAULTS))("fails a search with its receipt: %s", async (_, fault) => {
		vendor.enqueue(...times(fault));
		await expectFailure(fixture, fault, { stage: "embed", payer, model: "text-embedding-3-small" });
	});

	it("fails a document for good where it would fail again, and keeps it listed", async () => {
		const fault = EMBEDDING_FAULTS["a vector of another length"] as Fault<EmbeddingBehaviour>;
		vendor.enqueue(fault.behaviour);
		const { id } = await addDocument(fixture, "Of a vector of another length.");
		const document = await waitUntilDone(id);
		expect(document).toMatchObject({ status: "failed", error: { code: fault.code } });
		expect(document.error?.hint).toMatch(/`dimensions`/);
		expect(JSON.stringify(document)).not.toContain(MARKER);
	});

	it.each(["HTML", "too many vectors", "no vectors"])("tries a document again after %s", async (name) => {
		vendor.enqueue((EMBEDDING_FAULTS[name] as Fault<EmbeddingBehaviour>).behaviour);
		const { id } = await addDocument(fixture, `Of ${name}.`);
		expect(await waitUntilDone(id)).toMatchObject({ status: "ready", error: null });
	});

	it("tries on where the fault passes, and counts each call", async () => {
		const before = await countIndexing();
		vendor.enqueue(...Array.from({ length: 4 }, () => refusal(500)));
		const { id } = await addDocument(fixture, "Of a vendor that was down.");
		expect(await waitUntilDone(id)).toMatchObject({ status: "ready", error: null });
		const after = await countIndexing();
		expect([after.calls - before.calls, after.estimated - before.estimated]).toEqual([2, 1]);
	});

	it("was only ever called with the key of who pays", () => {
		const used = vendor.requests.map(({ headers }) => headers.authorization);
		expect(new Set(used)).toEqual(new Set([`Bearer ${KEYS[payer]}`]));
	});

	async function waitUntilDone(id: string): Promise<KnowledgeDocument> {
		const path = `/v1/knowledge-bases/${fixture.knowledgeBase}/documents/${id}`;
		return vi.waitFor(async () => {
			const document = await getBody<KnowledgeDocument>(fixture.send("GET", path));
			expect(["ready", "failed"]).toContain(document.status);
			return document;
		}, 30_000);
	}
	async function countIndexing(): Promise<{ readonly calls: number; readonly estimated: number }> {
		const { data } = await getBody<{ readonly data: readonly UsageRow[] }>(
			fixture.send("GET", "/v1/usage?stage=index"),
		);
		const [row] = data;
		expect(row).toMatchObject({ payer, model: "text-embedding-3-small" });
		return { calls: row?.calls ?? 0, estimated: row?.estimated_calls ?? 0 };
	}
});

describe("a reranker", () => {
	let vendor: RerankerSimulator;
	let deployment: TestDeployment;
	let fixture: SearchFixture;

	beforeAll(async () => {
		vendor = await startRerankerSimulator({ vendor: "cohere", apiKey: KEYS.deployment });
		const rerank = {
			provider: "cohere" as const,
			base_url: vendor.baseUrl,
			credential: { value: KEYS.deployment },
			model: "rerank-v3.5",
		};
		deployment = await openTestDeployment(built, { rerank }, { logger });
		const { send } = await deployment.addWorkspace("one");
		fixture = await prepare(send);
	});
	afterAll(async () => {
		await deployment.close();
		await vendor.close();
	});

	it.each(Object.entries(RERANKER_FAULTS))("fails a search with its receipt: %s", async (_, fault) => {
		vendor.enqueue(...times(fault));
		await expectFailure(fixture, fault, { stage: "score", payer: "deployment", model: "rerank-v3.5" });
	});

	it("is asked again when it is well", async () => {
		const { status, body } = await search(fixture);
		expect(status).toBe(200);
		expect(body).toMatchObject({ passages: [{ score: expect.any(Number) }] });
	});
});

it("writes nothing of what vendors said into the log", () => {
	expect(lines.length).toBeGreaterThan(20);
	expect(lines.filter((line) => line.includes(MARKER))).toEqual([]);
});
