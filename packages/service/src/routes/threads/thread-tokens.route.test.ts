import type { CreatedThread, ThreadMessage } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectApiError } from "../../test-support/expect-error";
import type { TestRequest } from "../../test-support/send-request";
import { getBody } from "../../test-support/tenant";
import { startThreadFixture, type ThreadFixture } from "../../threads/test-support/thread-fixture";

let fixture: ThreadFixture;
/** Client keys of the same workspace. */
let key: string;
let otherKey: string;
beforeAll(async () => {
	fixture = await startThreadFixture(built);
	key = await fixture.makeKey({ requests_per_minute: 10_000, expose: "trace" });
	otherKey = await fixture.makeKey({ requests_per_minute: 10_000 });
});
afterAll(() => fixture?.close());

const send = (method: string, path: string, request: TestRequest) => fixture.mine.send(method, path, request);
const createFor = (token: string) => getBody<CreatedThread>(send("POST", "/v1/threads", { token, json: {} }));
const withToken = (thread: Pick<CreatedThread, "token">, token = key): TestRequest => ({
	token,
	headers: { "stemma-thread-token": thread.token ?? "" },
});

it("lets a client key use a thread with its token, and shows it no receipts", async () => {
	const thread = await createFor(key);
	expect(thread).toMatchObject({ token: expect.stringMatching(/^tht_/), owner: { kind: "client_key" } });
	fixture.reply("Yes.");
	await getBody(fixture.run({ input: "?", thread_id: thread.id }, withToken(thread)));
	await getBody(
		fixture.ask({ question: "When does the harbour open?", thread_id: thread.id }, withToken(thread)),
	);
	const { messages } = await getBody<{ messages: ThreadMessage[] }>(
		send("GET", `/v1/threads/${thread.id}/messages`, withToken(thread)),
	);
	expect(messages.map(({ text }) => text).slice(0, 2)).toEqual(["?", "Yes."]);
	expect(JSON.stringify(messages)).not.toContain("receipt");
	expect(messages[3]?.citations?.[0]).toMatchObject({
		document_url: expect.stringContaining("/v1/documents/"),
	});
	const listed = await fixture.list(thread.id);
	expect(listed.map(({ receipt }) => (receipt ?? []).length > 0)).toEqual([false, true, false, true]);
	const [, answer] = messages;
	const headers = { "stemma-run-token": answer?.run_token ?? "" };
	expect((await send("GET", `/v1/runs/${answer?.run_id}`, { token: key, headers })).status).toBe(200);
	const exported = await getBody<object>(send("GET", `/v1/threads/${thread.id}/export`, withToken(thread)));
	expect(JSON.stringify(exported)).not.toMatch(/receipt|tht_/);
	await getBody(send("DELETE", `/v1/threads/${thread.id}`, withToken(thread)));
});

it("has no thread for another key, another token or none: 404 everywhere", async () => {
	const thread = await createFor(key);
	const second = await createFor(key);
	const owned = await fixture.create();
	fixture.reply("Yes.");
	await getBody(fixture.run({ input: "?", thread_id: thread.id }, withToken(thread)));
	const strangers: readonly (readonly [string, TestRequest])[] = [
		[thread.id, { token: key }],
		[thread.id, withToken(second)],
		[thread.id, withToken({ token: "tht_guess" })],
		[thread.id, withToken(thread, otherKey)],
		[owned.id, { token: key }],
		[owned.id, withToken(thread)],
	];
	for (const [id, request] of strangers) {
		const attempts = [
			send("GET", `/v1/threads/${id}`, request),
			send("PATCH", `/v1/threads/${id}`, { ...request, json: { title: "Mine" } }),
			send("DELETE", `/v1/threads/${id}`, request),
			send("GET", `/v1/threads/${id}/messages`, request),
			send("POST", `/v1/threads/${id}/title`, { ...request, json: {} }),
			send("GET", `/v1/threads/${id}/export`, request),
			fixture.run({ input: "?", thread_id: id }, request),
			fixture.ask({ question: "When does the harbour open?", thread_id: id }, request),
		];
		for (const response of await Promise.all(attempts)) expectApiError(response, 404, "thread_not_found");
	}
	expect((await fixture.list(thread.id)).length).toBe(2);
});

it("lists and searches no threads for a client key", async () => {
	for (const path of ["/v1/threads", "/v1/threads?query=harbour"])
		expectApiError(await send("GET", path, { token: key }), 403, "not_allowed_for_client_key");
});

it("shows a client key the code of an error, and no more", async () => {
	const thread = await createFor(key);
	fixture.vendor.enqueue({ kind: "failure", status: 400, message: "secret of the vendor" });
	await fixture.run({ input: "?", thread_id: thread.id }, withToken(thread));
	const { messages } = await getBody<{ messages: ThreadMessage[] }>(
		send("GET", `/v1/threads/${thread.id}/messages`, withToken(thread)),
	);
	expect(messages[1]).toMatchObject({ status: "failed", error: { code: expect.any(String) } });
	expect(JSON.stringify(messages)).not.toContain("secret of the vendor");
});
