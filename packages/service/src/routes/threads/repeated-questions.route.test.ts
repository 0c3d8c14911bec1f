import type { Answer, CreatedThread, ThreadMessage } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectApiError } from "../../test-support/expect-error";
import type { TestRequest } from "../../test-support/send-request";
import { getBody } from "../../test-support/tenant";
import { startThreadFixture, type ThreadFixture } from "../../threads/test-support/thread-fixture";

const QUESTION = "When does the harbour open?";

let fixture: ThreadFixture;
beforeAll(async () => {
	fixture = await startThreadFixture(built);
});
afterAll(() => fixture?.close());

const fail = () => fixture.vendor.enqueue({ kind: "failure", status: 400 });
const rolesOf = (messages: readonly ThreadMessage[]) =>
	messages.map(({ role, status }) => `${role} ${status}`);

/** Thread of a client, or of a client key, and what requests about it need. */
async function open(caller: string) {
	if (caller === "client") return { id: (await fixture.create()).id, request: {} };
	const token = await fixture.makeKey({ requests_per_minute: 10_000 });
	const created = await getBody<CreatedThread>(fixture.mine.send("POST", "/v1/threads", { token, json: {} }));
	return { id: created.id, request: { token, headers: { "stemma-thread-token": created.token ?? "" } } };
}

/** The same request with an `Idempotency-Key`. */
const withKey = (request: TestRequest, key: string): TestRequest => ({
	...request,
	headers: { ...request.headers, "idempotency-key": key },
});

describe.each(["client", "client key"])("the question of a %s that is sent again", (caller) => {
	it("after its answer failed is answered once more, and appended once", async () => {
		const { id, request } = await open(caller);
		const once = withKey(request, `failed-${id}`);
		const json = { question: QUESTION, thread_id: id };
		fail();
		expect((await fixture.ask(json, once)).status).toBeGreaterThanOrEqual(400);
		const answer = await getBody<Answer>(fixture.ask(json, once));
		const messages = await fixture.list(id);
		expect(rolesOf(messages)).toEqual(["user completed", "assistant failed", "assistant completed"]);
		expect(messages.map(({ parent_id }) => parent_id)).toEqual([null, messages[0]?.id, messages[0]?.id]);
		expect(answer.message_id).toBe(messages[2]?.id);
		// What follows goes on from the answer.
		await getBody(fixture.ask({ question: "And when does it close?", thread_id: id }, request));
		expect((await fixture.list(id))[3]).toMatchObject({ role: "user", parent_id: answer.message_id });
	});

	it("after a stream is appended once, too", async () => {
		const { id, request } = await open(caller);
		const once = withKey(request, `streamed-${id}`);
		const json = { question: QUESTION, thread_id: id, stream: true };
		fail();
		expect((await fixture.ask(json, once)).text).toContain("event: ask.failed");
		expect((await fixture.ask(json, once)).text).toContain("event: ask.completed");
		expect(rolesOf(await fixture.list(id))).toEqual([
			"user completed",
			"assistant failed",
			"assistant completed",
		]);
	});
});

it("is another question, and refused, with another text and the same key", async () => {
	const { id } = await fixture.create();
	const once = withKey({}, `other-${id}`);
	fail();
	await fixture.ask({ question: QUESTION, thread_id: id }, once);
	expectApiError(
		await fixture.ask({ question: "When does it close?", thread_id: id }, once),
		409,
		"idempotency_conflict",
	);
	expect(await fixture.list(id)).toHaveLength(2);
});

it("gets the same answer where it was answered, and nothing once its thread is gone", async () => {
	const { id } = await fixture.create();
	const once = withKey({}, `answered-${id}`);
	const json = { question: QUESTION, thread_id: id };
	const first = await getBody<Answer>(fixture.ask(json, once));
	expect(await getBody<Answer>(fixture.ask(json, once))).toMatchObject({ message_id: first.message_id });
	expect(await fixture.list(id)).toHaveLength(2);
	await getBody(fixture.mine.send("DELETE", `/v1/threads/${id}`));
	expectApiError(await fixture.ask(json, once), 404, "thread_not_found");
});

describe("a stored answer of a thread", () => {
	const rate = (answer: { readonly answer_id?: string | undefined }, request: TestRequest = {}) =>
		fixture.mine.send("POST", `/v1/answers/${answer.answer_id}/feedback`, {
			json: { rating: "up" },
			...request,
		});

	it("is named by its message, so that it can be rated after a reload", async () => {
		const { id, request } = await open("client key");
		const json = { question: QUESTION, thread_id: id, store: true };
		const answer = await getBody<Answer>(fixture.ask(json, request));
		const { messages } = await getBody<{ messages: readonly ThreadMessage[] }>(
			fixture.mine.send("GET", `/v1/threads/${id}/messages`, request),
		);
		const { answer_id, answer_token = "" } = messages[1] ?? {};
		expect([answer_id, answer_token]).toEqual([answer.answer_id, answer.answer_token]);
		const { token = "" } = request as { readonly token?: string };
		const headers = { "stemma-answer-token": answer_token };
		await getBody(rate({ answer_id }, { token, headers }));
		expect((await fixture.list(id))[1]).not.toHaveProperty("answer_token");
	});

	it("is deleted with it", async () => {
		const { id } = await fixture.create();
		const answer = await getBody<Answer>(fixture.ask({ question: QUESTION, thread_id: id, store: true }));
		const other = await getBody<Answer>(fixture.ask({ question: QUESTION, store: true }));
		await getBody(rate(answer));
		await getBody(fixture.mine.send("DELETE", `/v1/threads/${id}`));
		expectApiError(await rate(answer), 404, "answer_not_found");
		await getBody(rate(other));
	});
});
