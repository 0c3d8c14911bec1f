import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestRequest, TestResponse } from "../../test-support/send-request";
import { getBody, waitUntilIndexed } from "../../test-support/tenant";
import {
	openTestDeployment,
	type TestDeployment,
	type TestWorkspace,
} from "../../test-support/test-deployment";

// Requests have the form in which `fetch_external_knowledge_retrieval` and `check_endpoint_and_api_key` of Dify 1.x send
// them: JSON as text, with the key as a bearer token.

let deployment: TestDeployment;
let workspace: TestWorkspace;
let other: TestWorkspace;
let knowledgeBase: string;
let key: string;
beforeAll(async () => {
	deployment = await openTestDeployment(built);
	workspace = await deployment.addWorkspace("first");
	other = await deployment.addWorkspace("other");
	knowledgeBase = await addBase(workspace, "handbook");
	await addBase(other, "theirs");
	key = await makeKey({ knowledge_base_ids: [knowledgeBase] });
});
afterAll(() => deployment?.close());

async function addBase({ send }: TestWorkspace, slug: string): Promise<string> {
	const json = { name: slug, slug };
	const { id } = await getBody<{ id: string }>(send("POST", "/v1/knowledge-bases", { json }));
	for (const [source, text, metadata] of [
		["hours.md", "The harbour opens at nine.", { language: "en", year: 2026 }],
		["hafen.md", "The harbour is called Hafen.", { language: "de" }],
	] as const)
		await getBody(send("POST", `/v1/knowledge-bases/${id}/documents`, { json: { text, source, metadata } }));
	await waitUntilIndexed(send, id);
	return id;
}

const makeKey = async (limits: object): Promise<string> => {
	const json = { name: "dify", native: true, ...limits };
	return (await getBody<{ client_key: string }>(workspace.send("POST", "/v1/client-keys", { json })))
		.client_key;
};

interface RetrievalRequest {
	readonly knowledge_id?: string;
	readonly query?: string;
	readonly retrieval_setting?: object;
	readonly metadata_condition?: object | null;
}

const retrieve = (
	request: RetrievalRequest = {},
	{ token = key, ...sent }: TestRequest = {},
): Promise<TestResponse> =>
	workspace.send("POST", "/retrieval", {
		token,
		body: JSON.stringify({
			retrieval_setting: { top_k: 4, score_threshold: 0 },
			query: "When does the harbour open?",
			knowledge_id: "handbook",
			...request,
		}),
		headers: { "content-type": "application/json" },
		...sent,
	});

interface DifyRecord {
	readonly content: string;
	readonly score: number;
	readonly title: string;
	readonly metadata: Readonly<Record<string, unknown>>;
}

const readRecords = async (sent: Promise<TestResponse>): Promise<readonly DifyRecord[]> =>
	(await getBody<{ records: DifyRecord[] }>(sent)).records;

function expectDifyError({ status, body }: TestResponse, expected: number, code: number): void {
	expect([status, body]).toEqual([
		expected,
		{ error_code: code, error_msg: expect.stringMatching(/\S[.?:\w]/) },
	]);
}

describe("the external knowledge API of Dify", () => {
	it("finds passages by slug and by id, best first, as a search does", async () => {
		const records = await readRecords(retrieve());
		expect(records).toEqual(await readRecords(retrieve({ knowledge_id: knowledgeBase })));
		const json = { query: "When does the harbour open?", knowledge_base_ids: [knowledgeBase], top_k: 4 };
		const { passages } = await getBody<{ passages: { text: string; score: number; title: string }[] }>(
			workspace.send("POST", "/v1/search", { json }),
		);
		expect(records.map(({ content, score, title }) => ({ text: content, score, title }))).toEqual(
			passages.map(({ text, score, title }) => ({ text, score, title })),
		);
		expect(records[0]).toMatchObject({
			content: "The harbour opens at nine.",
			metadata: {
				...{ language: "en", year: 2026, source: "hours.md" },
				...{ document_id: expect.stringMatching(/^doc_/), passage_id: expect.stringMatching(/^psg_/) },
			},
		});
		expect(records[0]?.score).toBeGreaterThan(0);
		expect(records[0]?.score).toBeLessThanOrEqual(1);
		expect(await readRecords(retrieve({ retrieval_setting: { top_k: 1, score_threshold: 0 } }))).toHaveLength(
			1,
		);
		expect(await readRecords(retrieve({ query: "Zyzzyva" }))).toEqual([]);
	});

	it("filters by metadata, and refuses what it cannot filter by", async () => {
		const conditionOf = (name: string, comparison_operator: string, value: unknown) => ({
			metadata_condition: { logical_operator: "and", conditions: [{ name, comparison_operator, value }] },
		});
		const contents = async (request: RetrievalRequest) =>
			(await readRecords(retrieve(request))).map(({ content }) => content);
		expect(await contents(conditionOf("language", "is", "de"))).toEqual(["The harbour is called Hafen."]);
		expect(await contents(conditionOf("year", "=", "2026"))).toEqual(["The harbour opens at nine."]);
		expect(await contents({ metadata_condition: null })).toHaveLength(2);
		expectDifyError(await retrieve(conditionOf("language", "contains", "e")), 400, 400);
	});

	it("applies no threshold to scores that have no absolute meaning", async () => {
		const setting = { retrieval_setting: { top_k: 4, score_threshold: 0.5 } };
		expectDifyError(await retrieve(setting), 422, 422);
	});

	it("takes a client key, an access token, and the id and secret of a client as API key", async () => {
		const { client_id, client_secret } = workspace.credentials;
		for (const token of [workspace.token, `${client_id}.${client_secret}`])
			expect(await readRecords(retrieve({}, { token }))).toHaveLength(2);
		expectDifyError(await retrieve({}, { token: `${client_id}.cs_wrong` }), 403, 1002);
		expectDifyError(
			await retrieve({}, { token: `${other.credentials.client_id}.${client_secret}` }),
			403,
			1002,
		);
		// Elsewhere such a key is none.
		const elsewhere = await workspace.send("GET", "/v1/runs", { token: `${client_id}.${client_secret}` });
		expect(elsewhere.status).toBe(401);
	});

	it("says what is wrong with a key and a knowledge base in Dify's words", async () => {
		expectDifyError(await retrieve({}, { token: null }), 403, 1001);
		const basic = {
			token: null,
			headers: { authorization: "Basic abc", "content-type": "application/json" },
		};
		expectDifyError(await retrieve({}, basic), 403, 1001);
		expectDifyError(await retrieve({}, { token: "wrong" }), 403, 1002);
		expectDifyError(await retrieve({ knowledge_id: "nothing" }), 404, 2001);
		expectDifyError(await retrieve({ knowledge_id: "theirs" }), 404, 2001);
		const unlimited = await makeKey({});
		expectDifyError(await retrieve({ knowledge_id: "theirs" }, { token: unlimited }), 404, 2001);
		const narrow = await makeKey({ knowledge_base_ids: [await addBase(workspace, "annex")] });
		expectDifyError(await retrieve({}, { token: narrow }), 404, 2001);
	});

	it("lets Dify find out whether a key is right when it is registered: a request without a body", async () => {
		const probe = (token: string) => workspace.send("POST", "/retrieval", { token });
		expect([403, 404, 502]).not.toContain((await probe(key)).status);
		expect((await probe("wrong")).status).toBe(403);
	});

	it.each<readonly [string, RetrievalRequest | object]>([
		["an empty query", { query: " " }],
		["no setting", { retrieval_setting: null }],
		["too many passages", { retrieval_setting: { top_k: 101, score_threshold: 0 } }],
		["a threshold above 1", { retrieval_setting: { top_k: 1, score_threshold: 2 } }],
		["a field that it does not know", { search_method: "semantic" }],
	])("refuses %s", async (_, request) => {
		expectDifyError(await retrieve(request), 400, 400);
	});
});
