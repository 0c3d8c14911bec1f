import { type Answer, type ExportedFeedback, type FeedbackRecord, type Page, Stemma } from "@stemma/client";
import type { RunResult } from "@stemma/core";
import * as built from "@stemma/service";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
	type GraphFixture,
	type GraphWorkspace,
	startGraphFixture,
	toGraphWith,
} from "../../agent-ports/test-support/graph-fixture";
import { expectApiError, readApiError } from "../../test-support/expect-error";
import type { TestRequest } from "../../test-support/send-request";
import { getBody, waitUntilIndexed } from "../../test-support/tenant";
import { openTestDeployment } from "../../test-support/test-deployment";

type StartedResult = RunResult & { readonly run_token: string };

const QUESTION = "When does the harbour open?";
const DOCUMENT_TEXT = "The harbour opens at nine.";

let fixture: GraphFixture;
let other: GraphWorkspace;
let knowledgeBase: string;
let page: string;
let otherPage: string;
beforeAll(async () => {
	fixture = await startGraphFixture(built);
	other = await fixture.addWorkspace("other");
	knowledgeBase = (
		await getBody<{ id: string }>(fixture.send("POST", "/v1/knowledge-bases", { json: { name: "Books" } }))
	).id;
	const document = { text: DOCUMENT_TEXT, title: "Hours" };
	await getBody(fixture.send("POST", `/v1/knowledge-bases/${knowledgeBase}/documents`, { json: document }));
	await waitUntilIndexed(fixture.send, knowledgeBase);
	await fixture.save(
		"desk",
		toGraphWith({ id: "books", kind: "knowledge", knowledgeBases: [knowledgeBase] }),
	);
	page = await fixture.makeKey();
	otherPage = await fixture.makeKey();
});
afterAll(() => fixture?.close());
beforeEach(async () => {
	for (const { run_id, answer_id } of (await list()).data)
		await fixture.send("DELETE", `/v1/${run_id ? `runs/${run_id}` : `answers/${answer_id}`}/feedback`);
});

const connect = (
	credential: { readonly clientKey: string } | { readonly clientId: string; readonly clientSecret: string },
) =>
	new Stemma({
		...credential,
		baseUrl: "http://service.test",
		fetch: (url, init) => fixture.deployment.service.fetch(new Request(url, init as RequestInit)),
	});

const list = (query = ""): Promise<Page<FeedbackRecord>> =>
	getBody(fixture.send("GET", `/v1/feedback?limit=100${query}`));

async function readExport(query = ""): Promise<readonly ExportedFeedback[]> {
	const { status, headers, text } = await fixture.send("GET", `/v1/feedback/export${query}`);
	expect([status, headers.get("content-type")]).toEqual([200, "application/jsonl; charset=utf-8"]);
	return text
		.split("\n")
		.slice(0, -1)
		.map((line) => JSON.parse(line));
}

async function run(request: Pick<TestRequest, "token"> = {}): Promise<StartedResult> {
	fixture.vendor.enqueue({ kind: "reply", text: "It opens at nine [1]." });
	const result = await fixture.run("desk", QUESTION, request);
	expect(result.status).toBe("completed");
	return result as StartedResult;
}

const ask = (request: TestRequest = {}, body: object = {}): Promise<Answer> => {
	fixture.vendor.enqueue({ kind: "reply", text: "It opens at nine [1]." });
	const json = { question: QUESTION, knowledge_base_ids: [knowledgeBase], store: true, ...body };
	return getBody(fixture.send("POST", "/v1/ask", { json, ...request }));
};

const send = (path: string, json: unknown, request: TestRequest = {}) =>
	fixture.send("POST", `/v1/${path}/feedback`, { json, ...request });

describe("feedback on a run", () => {
	it("is kept with question, answer and passages, and replaced when it is sent again", async () => {
		const { run_id, citations } = await run();
		const path = `runs/${run_id}`;
		const sent = await getBody<FeedbackRecord>(send(path, { rating: "up", tags: ["clear", "clear"] }));
		expect(sent).toEqual({
			...{ id: expect.stringMatching(/^fb_/), run_id, answer_id: null, rating: "up", comment: null },
			...{ tags: ["clear"], created_at: expect.stringMatching(/Z$/), updated_at: sent.created_at },
		});
		const changed = { rating: "down", comment: "It opens at eight." };
		const again = await getBody<FeedbackRecord>(send(path, changed));
		expect(again).toMatchObject({ ...changed, id: sent.id, tags: [], created_at: sent.created_at });
		const [agent] = (await getBody<Page<{ id: string }>>(fixture.send("GET", "/v1/agents"))).data;
		const { client_id } = fixture.credentials;
		const record = {
			...{ ...again, sent_by: client_id, agent_id: agent?.id, agent_slug: "desk", agent_version: 1 },
			...{ question: QUESTION, answer: "It opens at nine [1]." },
		};
		expect((await list()).data).toEqual([record]);
		const { passage_id, document_id, place } = citations[0] ?? {};
		expect(await readExport()).toEqual([
			{
				...{ ...record, history: [], citations },
				passages: [{ title: "Hours", text: DOCUMENT_TEXT, place, passage_id, document_id }],
			},
		]);
	});

	it("comes from the client key that has started it, with its token alone, and shows it nothing more", async () => {
		const { run_id, run_token } = await run({ token: page });
		const path = `runs/${run_id}`;
		const up = { rating: "up" };
		const headers = { "stemma-run-token": run_token };
		for (const request of [
			{ token: page },
			{ token: page, headers: { "stemma-run-token": "rt_wrong" } },
			{ token: otherPage, headers },
		])
			expectApiError(await send(path, up, request), 404, "run_not_found");
		expect(await getBody(send(path, up, { token: page, headers }))).not.toHaveProperty("question");
		// The client rates the same run by itself.
		await getBody(send(path, { rating: "down" }));
		const { data } = await list();
		expect(data.map(({ rating, sent_by }) => [rating, sent_by.slice(0, 3)])).toEqual([
			["down", "cl_"],
			["up", "ck_"],
		]);
		const remove = (request: TestRequest) => fixture.send("DELETE", `/v1/${path}/feedback`, request);
		expectApiError(await remove({ token: page }), 404, "run_not_found");
		expect(await getBody(remove({ token: page, headers }))).toEqual({ id: data[1]?.id, deleted: true });
		expectApiError(await remove({ token: page, headers }), 404, "feedback_not_found");
		expect((await list()).data).toHaveLength(1);
	});

	it("waits for the end of the run", async () => {
		fixture.vendor.enqueue({ kind: "silence" });
		const requests = fixture.vendor.requests.length;
		const id = await fixture.start("desk", QUESTION);
		await expect.poll(() => fixture.vendor.requests.length).toBeGreaterThan(requests);
		expectApiError(await send(`runs/${id}`, { rating: "up" }), 409, "run_not_ended");
		await fixture.cancel(id);
		await getBody(send(`runs/${id}`, { rating: "down" }));
		expect((await list()).data).toMatchObject([{ run_id: id, answer: null }]);
	});

	it("is of its workspace alone", async () => {
		const { run_id } = await run();
		await getBody(send(`runs/${run_id}`, { rating: "up" }));
		expectApiError(await send("runs/run_none", { rating: "up" }), 404, "run_not_found");
		expectApiError(
			await other.send("POST", `/v1/runs/${run_id}/feedback`, { json: { rating: "up" } }),
			404,
			"run_not_found",
		);
		expect((await getBody<Page<FeedbackRecord>>(other.send("GET", "/v1/feedback"))).data).toEqual([]);
	});
});

describe("feedback on an answer", () => {
	it("is kept for those that were stored, asked for with and without a stream", async () => {
		const { answer_id = "", answer_token, ...answer } = await ask();
		expect(answer_id).toMatch(/^ans_/);
		await getBody(send(`answers/${answer_id}`, { rating: "up", comment: "Thanks." }));
		const [exported] = await readExport();
		const [passage] = answer.passages;
		expect(exported).toMatchObject({
			...{ run_id: null, answer_id, agent_id: null, agent_slug: null, agent_version: null },
			...{ question: QUESTION, answer: answer.answer, citations: answer.citations, history: [] },
			passages: [{ title: "Hours", text: DOCUMENT_TEXT, passage_id: passage?.passage_id }],
		});
		fixture.vendor.enqueue({ kind: "reply", text: "It opens at nine [1]." });
		const stemma = connect({ clientKey: page });
		const history = [{ role: "user", content: "Hello" }] as const;
		const streamed = await stemma.ask.stream({ question: QUESTION, history, store: true }).answer();
		const { answer_id: id = "", answer_token: token } = streamed;
		await stemma.ask.sendFeedback(id, { rating: "down", tags: ["short"] }, { answer_token: token });
		const [latest] = await readExport("?rating=down");
		expect(latest).toMatchObject({ answer_id: id, history, answer: streamed.answer, tags: ["short"] });
		await stemma.ask.deleteFeedback(id, { answer_token: token });
		expect(await readExport("?rating=down")).toEqual([]);
	});

	it("is for nobody else, and for no answer that was not stored", async () => {
		const { answer_id, answer_token = "" } = await ask({ token: page });
		const headers = { "stemma-answer-token": answer_token };
		for (const request of [
			{ token: page },
			{ token: page, headers: { "stemma-answer-token": `${answer_token}x` } },
			{ token: otherPage, headers },
			{ token: other.token, headers },
		])
			expectApiError(await send(`answers/${answer_id}`, { rating: "up" }, request), 404, "answer_not_found");
		await getBody(send(`answers/${answer_id}`, { rating: "up" }, { token: page, headers }));
		const path = `/v1/answers/${answer_id}/feedback`;
		expectApiError(await fixture.send("DELETE", path), 404, "feedback_not_found");
		await getBody(fixture.send("DELETE", path, { token: page, headers }));
		expect(await ask({}, { store: false })).not.toHaveProperty("answer_id");
	});
});

describe("the list and the export of feedback", () => {
	it("are filtered by rating, agent, tag and time, page by page", async () => {
		const ids: string[] = [];
		for (const body of [
			{ rating: "up", tags: ["a"] },
			{ rating: "down", tags: ["a", "b"] },
			{ rating: "up" },
		]) {
			const { id } = await getBody<FeedbackRecord>(send(`runs/${(await run()).run_id}`, body));
			ids.unshift(id);
		}
		const [third = "", second = "", first = ""] = ids;
		const find = async (query: string) => {
			const listed = (await list(query)).data.map(({ id }) => id);
			expect((await readExport(query.replace("&", "?"))).map(({ id }) => id)).toEqual(listed);
			return listed;
		};
		expect(await find("")).toEqual(ids);
		expect(await find("&rating=up")).toEqual([third, first]);
		expect(await find("&tag=a")).toEqual([second, first]);
		expect(await find("&agent_id=desk&tag=b&rating=down")).toEqual([second]);
		expect(await find("&agent_id=nobody")).toEqual([]);
		expect(await find("&since=2020-01-01")).toEqual(ids);
		expect(await find("&until=2020-01-01T00:00:00%2B02:00")).toEqual([]);
		const paged = await getBody<Page<FeedbackRecord>>(fixture.send("GET", "/v1/feedback?limit=2"));
		expect(paged).toMatchObject({ has_more: true, next: second });
		const rest = await getBody<Page<FeedbackRecord>>(fixture.send("GET", `/v1/feedback?after=${second}`));
		expect(rest.data.map(({ id }) => id)).toEqual([first]);
	});

	it("are read by the SDK, and by nobody without the scope", async () => {
		const { run_id } = await run();
		const { client_id: clientId, client_secret: clientSecret } = fixture.credentials;
		const stemma = connect({ clientId, clientSecret });
		const { id } = await stemma.runs.sendFeedback(run_id, { rating: "up" });
		expect((await stemma.feedback.list({ rating: "up" })).data).toMatchObject([{ id, question: QUESTION }]);
		const exported: ExportedFeedback[] = [];
		for await (const record of stemma.feedback.export({ agent_id: "desk" })) exported.push(record);
		expect(exported).toEqual(await readExport());
		await stemma.runs.deleteFeedback(run_id);
		expect((await stemma.feedback.list()).data).toEqual([]);
		for (const path of ["/v1/feedback", "/v1/feedback/export"]) {
			expectApiError(await fixture.send("GET", path, { token: page }), 403, "not_allowed_for_client_key");
			expectApiError(await fixture.send("GET", path, { token: null }), 401, "missing_credentials");
		}
	});

	it("answer a request for their head alone, and let go of it", async () => {
		const { status, text } = await fixture.send("HEAD", "/v1/feedback/export");
		expect([status, text]).toEqual([200, ""]);
	});
});

it.each<readonly [string, unknown, string | undefined]>([
	["no rating", {}, "rating"],
	["another rating", { rating: "meh" }, "rating"],
	["an empty comment", { rating: "up", comment: " " }, "comment"],
	["a long comment", { rating: "up", comment: "x".repeat(4001) }, "comment"],
	["many tags", { rating: "up", tags: Array.from({ length: 21 }, (_, index) => `${index}`) }, "tags"],
	["a long tag", { rating: "up", tags: ["x".repeat(51)] }, "tags[0]"],
	["an unknown field", { rating: "up", score: 1 }, "score"],
])("is refused with %s", async (_, body, param) => {
	const answer = await send("runs/run_1", body);
	expect([answer.status, readApiError(answer).param]).toEqual([400, param]);
});

it.each(["rating=meh", "since=yesterday", "until=2026-13-01", "tag=", "score=1"])(
	"is not listed by %s",
	async (query) => {
		expectApiError(
			await fixture.send("GET", `/v1/feedback?${query}`),
			400,
			"invalid_request",
			"unknown_field",
		);
	},
);

it("needs room within the quota of the workspace, and so does an answer that is stored", async () => {
	const deployment = await openTestDeployment(built, { limits: { storage_bytes: 1 } });
	try {
		const { send: sendFull } = await deployment.addWorkspace("full");
		// An empty workspace takes room in a file of its own, and none in a database.
		await sendFull("POST", "/v1/knowledge-bases", { json: { name: "first" } });
		const question = { question: QUESTION, knowledge_base_ids: ["kb_none"] };
		for (const [path, json] of [
			["/v1/runs/run_none/feedback", { rating: "up" }],
			["/v1/answers/ans_none/feedback", { rating: "up" }],
			["/v1/ask", { ...question, store: true }],
		] as const)
			expectApiError(await sendFull("POST", path, { json }), 403, "quota_exceeded");
		expectApiError(await sendFull("POST", "/v1/ask", { json: question }), 404, "knowledge_base_not_found");
	} finally {
		await deployment.close();
	}
});
