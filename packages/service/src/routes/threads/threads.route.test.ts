import type { Answer, RunResult, ThreadExport, ThreadMessage } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectApiError } from "../../test-support/expect-error";
import { readStored } from "../../test-support/read-stored";
import { getBody } from "../../test-support/tenant";
import { startThreadFixture, type ThreadFixture } from "../../threads/test-support/thread-fixture";

let fixture: ThreadFixture;
beforeAll(async () => {
	fixture = await startThreadFixture(built);
});
afterAll(() => fixture?.close());

const send = (method: string, path: string, json?: object) =>
	fixture.mine.send(method, path, json && { json });
const textsOf = (messages: readonly ThreadMessage[]): string[] => messages.map(({ text }) => text);

/** Thread with one message and its answer. */
async function startConversation(question = "What is it?", answer = "A harbour.") {
	const { id } = await fixture.create();
	fixture.reply(answer);
	const result = await getBody<RunResult & { message_id: string }>(
		fixture.run({ input: question, thread_id: id }),
	);
	return { id, first: result.message_id };
}

describe("a thread", () => {
	it("is created, read, changed, listed, searched and exported", async () => {
		const { id, ...created } = await fixture.create({
			...{ title: "Harbour", metadata: { visitor: "ü" }, agent_id: fixture.agent },
		});
		expect(created).toMatchObject({
			...{ title: "Harbour", metadata: { visitor: "ü" }, message_count: 0, active_run_id: null },
			owner: { kind: "client", id: fixture.mine.credentials.client_id },
		});
		expect(created).toMatchObject({ agent_id: expect.stringMatching(/^ag_/) });
		expect(created).not.toHaveProperty("token");
		expect(await getBody(send("PATCH", `/v1/threads/${id}`, { title: "Zoo" }))).toMatchObject({
			title: "Zoo",
		});
		const other = await startConversation("Where do penguins sleep?");
		const list = async (query: string) =>
			(await getBody<{ data: { id: string }[] }>(send("GET", `/v1/threads?${query}`))).data.map(
				(one) => one.id,
			);
		expect((await list("limit=2")).slice(0, 2)).toEqual([other.id, id]);
		expect([await list("query=PENGUINS"), await list("query=zoo")]).toEqual([[other.id], [id]]);
		expect(await list("owner=cl_nobody")).toEqual([]);
		const exported = await fixture.mine.send("GET", `/v1/threads/${other.id}/export`);
		expect(exported.headers.get("content-disposition")).toBe(`attachment; filename="${other.id}.json"`);
		const { thread, messages } = exported.body as ThreadExport;
		expect([thread.id, textsOf(messages)]).toEqual([other.id, ["Where do penguins sleep?", "A harbour."]]);
	});

	it("is deleted with its messages and their runs", async () => {
		const { id } = await startConversation();
		const [, answer] = await fixture.list(id);
		expect(await getBody(send("DELETE", `/v1/threads/${id}`))).toEqual({ id, deleted: true });
		expectApiError(await send("GET", `/v1/threads/${id}`), 404, "thread_not_found");
		expectApiError(await send("GET", `/v1/threads/${id}/messages`), 404, "thread_not_found");
		expectApiError(await send("GET", `/v1/runs/${answer?.run_id}`), 404, "run_not_found");
		expectApiError(await fixture.run({ input: "?", thread_id: id }), 404, "thread_not_found");
	});

	it("is deleted while a message is being answered, which is cancelled", async () => {
		const { id } = await fixture.create();
		const held = new Promise(() => undefined);
		fixture.reply({ text: "Never at all.", held });
		const running = fixture.run({ input: "?", thread_id: id });
		await fixture.waitForStatus(id, "in_progress");
		await getBody(send("DELETE", `/v1/threads/${id}`));
		expect((await running).status).toBeGreaterThanOrEqual(200);
		expectApiError(await send("GET", `/v1/threads/${id}`), 404, "thread_not_found");
	});

	it("gets a title of a model, where there is one", async () => {
		const { id } = await startConversation("Where is the harbour, and when does it open?");
		expect((await fixture.get(id)).title).toBe("Where is the harbour, and when does it open?");
		fixture.reply('"Opening of the harbour."');
		expect(await getBody(send("POST", `/v1/threads/${id}/title`, {}))).toMatchObject({
			title: "Opening of the harbour",
		});
		fixture.vendor.enqueue({ kind: "failure", status: 400 });
		expect(await getBody(send("POST", `/v1/threads/${id}/title`, {}))).toMatchObject({
			title: "Where is the harbour, and when does it open?",
		});
		const { id: empty } = await fixture.create();
		expect(await getBody(send("POST", `/v1/threads/${empty}/title`, {}))).toMatchObject({ title: null });
	});

	it("takes neither too much metadata nor a title without text", async () => {
		const metadata = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, "v"]));
		for (const json of [
			{ metadata },
			{ metadata: { k: "v".repeat(513) } },
			{ metadata: { k: 1 } },
			{ title: " " },
		])
			expectApiError(await send("POST", "/v1/threads", json), 400, "invalid_request");
		expectApiError(await send("POST", "/v1/threads", { agent_id: "nobody" }), 404, "agent_not_found");
	});
});

describe("a message that a run answers", () => {
	it("is answered with what was said before, and kept with the answer", async () => {
		const { id, first } = await startConversation();
		fixture.reply("At nine.");
		const { body } = await fixture.run({ input: "When does it open?", thread_id: id });
		expect(body).toMatchObject({ status: "completed", thread_id: id });
		expect(fixture.lastConversation()).toEqual(["What is it?", "A harbour.", "When does it open?"]);
		const messages = await fixture.list(id);
		expect(messages.map(({ role, status, parent_id }) => [role, status, parent_id])).toEqual([
			["user", "completed", null],
			["assistant", "completed", messages[0]?.id],
			["user", "completed", first],
			["assistant", "completed", messages[2]?.id],
		]);
		expect(messages[3]).toMatchObject({ text: "At nine.", receipt: [{ stage: "answer" }], citations: [] });
		expect(messages[3]?.id).toBe((body as { message_id: string }).message_id);
	});

	it("is named by the first event of its run, and by the run", async () => {
		const { id } = await fixture.create();
		fixture.reply("Yes.");
		const { text } = await fixture.run({ input: "?", thread_id: id, stream: true });
		const started = JSON.parse(/data: (\{"type":"run\.started".*)/.exec(text)?.[1] ?? "{}");
		const [, answer] = await fixture.list(id);
		expect(started).toMatchObject({ thread_id: id, message_id: answer?.id, run_id: answer?.run_id });
		expect(await getBody(send("GET", `/v1/runs/${started.run_id}`))).toMatchObject({
			...{ thread_id: id, message_id: answer?.id, input: "?" },
		});
	});

	it("makes a branch where it is edited or answered again: a model sees nothing of the siblings", async () => {
		const { id, first } = await startConversation();
		fixture.reply("At nine.");
		await fixture.run({ input: "When does it open?", thread_id: id });
		fixture.reply("At five.");
		const edited = await fixture.run({ input: "When does it close?", thread_id: id, parent_id: first });
		expect(fixture.lastConversation()).toEqual(["What is it?", "A harbour.", "When does it close?"]);
		const { message_id } = edited.body as { message_id: string };
		fixture.reply("At six.");
		const again = await fixture.run({ thread_id: id, regenerate_of: message_id });
		expect(fixture.lastConversation()).toEqual(["What is it?", "A harbour.", "When does it close?"]);
		const branch = await fixture.list(id, (again.body as { message_id: string }).message_id);
		expect(textsOf(branch)).toEqual(["What is it?", "A harbour.", "When does it close?", "At six."]);
		fixture.reply("Hello.");
		await fixture.run({ input: "Hello?", thread_id: id, parent_id: null });
		expect(fixture.lastConversation()).toEqual(["Hello?"]);
		expect((await fixture.list(id)).length).toBe(9);
	});

	it("is appended once, however often its request is sent", async () => {
		const { id } = await fixture.create();
		fixture.reply("Once.");
		const request = { headers: { "idempotency-key": `once-${id}` } };
		const sent = await Promise.all([1, 2, 3].map(() => fixture.run({ input: "?", thread_id: id }, request)));
		expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
		expect(textsOf(await fixture.list(id))).toEqual(["?", "Once."]);
	});

	it("leaves no record of the request that has started its run", async () => {
		const { id } = await fixture.create();
		const key = `gone-${id}`;
		fixture.reply("Once.");
		const request = { headers: { "idempotency-key": key } };
		await fixture.run({ input: "?", thread_id: id }, request);
		const countRecords = () =>
			readStored(fixture.deployment.configuration, fixture.mine.credentials.workspace_id, async (queries) => {
				const records = await queries
					.selectFrom("idempotency")
					.select("key")
					.where("key", "=", key)
					.execute();
				return records.length;
			});
		expect(await countRecords()).toBe(1);
		await getBody(fixture.mine.send("DELETE", `/v1/threads/${id}`));
		expect(await countRecords()).toBe(0);
	});

	it("keeps its error where the run fails, and is left out of what a model sees then", async () => {
		const { id } = await fixture.create();
		fixture.vendor.enqueue({ kind: "failure", status: 400 });
		await fixture.run({ input: "First?", thread_id: id });
		const [, failed] = await fixture.list(id);
		expect(failed).toMatchObject({ status: "failed", text: "", error: { code: expect.any(String) } });
		fixture.reply("Second.");
		await fixture.run({ input: "Second?", thread_id: id });
		expect(fixture.lastConversation()).toEqual(["First?", "Second?"]);
	});
});

describe("a question", () => {
	it("is answered with citations from the thread's conversation, and kept", async () => {
		const { id } = await fixture.create();
		const asked = await getBody<Answer>(
			fixture.ask({ question: "When does the harbour open?", thread_id: id }),
		);
		const [question, answer] = await fixture.list(id);
		expect(asked).toMatchObject({ thread_id: id, message_id: answer?.id });
		expect(question).toMatchObject({ role: "user", text: "When does the harbour open?" });
		expect(answer).toMatchObject({ status: "completed", text: asked.answer, parent_id: question?.id });
		expect([answer?.citations, answer?.receipt]).toEqual([asked.citations, asked.receipt]);
		expect(asked.citations.length).toBeGreaterThan(0);
		await getBody(
			fixture.ask({ question: "And when does the harbour close?", thread_id: id, stream: false }),
		);
		expect(JSON.stringify(fixture.vendor.requests.at(-1)?.body)).toContain("When does the harbour open?");
		const again = await fixture.ask({ thread_id: id, regenerate_of: answer?.id, stream: true });
		expect(again.text).toContain("event: ask.completed");
		expect((await fixture.list(id)).map(({ parent_id }) => parent_id).slice(3)).toEqual([
			expect.any(String),
			question?.id,
		]);
	});

	it("keeps why nothing was answered", async () => {
		const { id } = await fixture.create();
		await getBody(fixture.ask({ question: "Quantum chromodynamics of gluons?", thread_id: id }));
		expect((await fixture.list(id))[1]).toMatchObject({
			...{ status: "completed", refused: "no_relevant_passages" },
		});
	});

	it("keeps its error where it fails", async () => {
		const { id } = await fixture.create();
		fixture.vendor.enqueue({ kind: "failure", status: 400 });
		const { status } = await fixture.ask({ question: "When does the harbour open?", thread_id: id });
		expect(status).toBeGreaterThanOrEqual(400);
		expect((await fixture.list(id))[1]).toMatchObject({
			status: "failed",
			error: { code: expect.any(String) },
		});
	});
});

describe("a place that does not fit", () => {
	it.each([
		[{ input: "?", thread_id: "thr_0" }, 404, "thread_not_found"],
		[{ input: "?", parent_id: null }, 400, "invalid_request"],
		[{ input: "?", if_active: "queue" }, 400, "invalid_request"],
		[{ regenerate_of: "msg_0" }, 400, "invalid_request"],
	] as const)("is refused without a thread: %j", async (json, status, code) => {
		expectApiError(await fixture.run(json), status, code);
	});

	it("is refused in a thread, and nothing is appended", async () => {
		const { id } = await startConversation();
		const other = await startConversation();
		const [question] = await fixture.list(id);
		const cases: readonly (readonly [object, number, string])[] = [
			[{ input: "?", parent_id: other.first }, 404, "message_not_found"],
			[{ input: "?", parent_id: "msg_0" }, 404, "message_not_found"],
			[{ input: "?", parent_id: question?.id }, 400, "invalid_request"],
			[{ regenerate_of: question?.id }, 400, "invalid_request"],
			[{ regenerate_of: other.first }, 404, "message_not_found"],
			[{ regenerate_of: other.first, input: "?" }, 400, "invalid_request"],
			[{ regenerate_of: other.first, parent_id: null }, 400, "invalid_request"],
			[{ input: "" }, 400, "invalid_request"],
			[{ input: { order: 7 } }, 400, "invalid_request"],
			[{ input: "x".repeat(100_001) }, 400, "invalid_request"],
			[{}, 400, "invalid_request"],
			[{ input: { messages: [{ role: "assistant", content: "Hi" }] } }, 400, "invalid_request"],
		];
		for (const [json, status, code] of cases)
			expectApiError(await fixture.run({ thread_id: id, ...json }), status, code);
		const history = [{ role: "user", content: "Hi" }];
		expectApiError(await fixture.ask({ question: "?", thread_id: id, history }), 400, "invalid_request");
		expectApiError(
			await send("GET", `/v1/threads/${id}/messages?branch=${other.first}`),
			404,
			"message_not_found",
		);
		expect((await fixture.list(id)).length).toBe(2);
	});
});
