import type { ThreadMessage } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectApiError } from "../../test-support/expect-error";
import { getBody } from "../../test-support/tenant";
import { startThreadFixture, type ThreadFixture } from "../../threads/test-support/thread-fixture";

let fixture: ThreadFixture;
beforeAll(async () => {
	fixture = await startThreadFixture(built);
});
afterAll(() => fixture?.close());

const statusesOf = (messages: readonly ThreadMessage[]): string[] =>
	messages.filter(({ role }) => role === "assistant").map(({ status }) => status);

/** Thread in which a message is being answered by a run, until it is released. */
async function holdAnswer(text = "The first answer is long.") {
	const { id } = await fixture.create();
	const { promise: held, resolve: release } = Promise.withResolvers<void>();
	fixture.reply({ text, held });
	const answered = fixture.run({ input: "First?", thread_id: id });
	await fixture.waitForStatus(id, "in_progress");
	await expect.poll(() => fixture.lastConversation()).toEqual(["First?"]);
	return { id, release, answered };
}

describe("a message that arrives while another one is being answered", () => {
	it("waits for its turn, and then sees the answer", async () => {
		const { id, release, answered } = await holdAnswer();
		const second = fixture.run({ input: "Second?", thread_id: id });
		await fixture.waitForStatus(id, "queued");
		const third = fixture.ask({ question: "When does the harbour open?", thread_id: id });
		await expect.poll(async () => (await fixture.list(id)).length).toBe(6);
		expect(statusesOf(await fixture.list(id))).toEqual(["in_progress", "queued", "queued"]);
		fixture.reply("The second answer.");
		release();
		expect((await Promise.all([answered, second, third])).map(({ status }) => status)).toEqual([
			200, 200, 200,
		]);
		const runs = fixture.vendor.requests.map(({ body }) => JSON.stringify(body?.messages));
		expect(runs.find((messages) => messages?.endsWith('"content":"Second?"}]'))).toContain(
			"The first answer is long.",
		);
		expect(runs.at(-1)).toContain("The second answer.");
		expect(statusesOf(await fixture.list(id))).toEqual(["completed", "completed", "completed"]);
	});

	it("is rejected on demand, and nothing is appended", async () => {
		const { id, release, answered } = await holdAnswer();
		const place = { thread_id: id, if_active: "reject" };
		expectApiError(await fixture.run({ input: "Second?", ...place }), 409, "thread_active");
		expectApiError(await fixture.run({ input: "Second?", ...place, stream: true }), 409, "thread_active");
		const question = "When does the harbour open?";
		expectApiError(await fixture.ask({ question, ...place, stream: true }), 409, "thread_active");
		release();
		await answered;
		expect((await fixture.list(id)).length).toBe(2);
		fixture.reply("Now.");
		await getBody(fixture.run({ input: "Second?", ...place }));
	});

	it("interrupts on demand: what is being answered and what waits is cancelled", async () => {
		const { id, answered } = await holdAnswer();
		const waiting = fixture.run({ input: "Second?", thread_id: id });
		await fixture.waitForStatus(id, "queued");
		fixture.reply("The third answer.");
		await getBody(fixture.run({ input: "Third?", thread_id: id, if_active: "interrupt" }));
		await Promise.all([answered, waiting]);
		const messages = await fixture.list(id);
		expect(statusesOf(messages)).toEqual(["cancelled", "cancelled", "completed"]);
		const partial = messages[1]?.text ?? "";
		expect("The first answer is long.".startsWith(partial)).toBe(true);
		expect(fixture.lastConversation()).toEqual([
			"First?",
			...(partial ? [partial] : []),
			"Second?",
			"Third?",
		]);
	});

	it("is not interrupted or deleted without agents:run, where it is of a run", async () => {
		const { id, release, answered } = await holdAnswer();
		const { client_id, client_secret } = fixture.mine.credentials;
		const secret = { grant_type: "client_credentials", client_id, client_secret };
		const form = new URLSearchParams({ ...secret, scope: "ask" });
		const { access_token: token } = await getBody<{ access_token: string }>(
			fixture.mine.send("POST", "/oauth/token", { token: null, form }),
		);
		const question = "When does the harbour open?";
		const place = { thread_id: id, if_active: "interrupt" };
		expectApiError(await fixture.ask({ question, ...place }, { token }), 403, "missing_scope");
		expectApiError(await fixture.mine.send("DELETE", `/v1/threads/${id}`, { token }), 403, "missing_scope");
		expect(statusesOf(await fixture.list(id))).toEqual(["in_progress"]);
		release();
		await answered;
		await getBody(fixture.mine.send("DELETE", `/v1/threads/${id}`, { token }));
	});

	it("interrupts a question, too", async () => {
		const { id } = await fixture.create();
		fixture.reply({ text: "It opens at nine [1].", held: new Promise(() => undefined) });
		const count = fixture.vendor.requests.length;
		const asked = fixture.ask({ question: "When does the harbour open?", thread_id: id });
		await expect.poll(() => fixture.vendor.requests.length).toBeGreaterThan(count);
		fixture.reply("The second answer.");
		await getBody(fixture.run({ input: "Second?", thread_id: id, if_active: "interrupt" }));
		expectApiError(await asked, 409, "cancelled");
		expect(statusesOf(await fixture.list(id))).toEqual(["cancelled", "completed"]);
	});

	it("is refused where too many wait", async () => {
		const { id, release, answered } = await holdAnswer();
		const waiting = Array.from({ length: 10 }, (_, index) =>
			fixture.run({ input: `Message ${index}`, thread_id: id, background: true }),
		);
		expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(10).fill(202));
		expectApiError(await fixture.run({ input: "More?", thread_id: id }), 429, "thread_queue_full");
		release();
		await answered;
		const ends = await fixture.waitForStatus(id, "completed");
		expect(statusesOf(ends)).toEqual(Array(11).fill("completed"));
	});

	it("is cancelled while it waits, and keeps nobody waiting", async () => {
		const { id, release, answered } = await holdAnswer();
		const started = await fixture.run({ input: "Second?", thread_id: id, background: true });
		const { run_id, thread_id, message_id } = started.body as Record<string, string>;
		const [, , , queued] = await fixture.list(id);
		expect([thread_id, message_id, run_id]).toEqual([id, queued?.id, queued?.run_id]);
		await getBody(fixture.mine.send("POST", `/v1/runs/${run_id}/cancel`));
		expect(statusesOf(await fixture.list(id))).toEqual(["in_progress", "cancelled"]);
		fixture.reply("The third answer.");
		const third = fixture.run({ input: "Third?", thread_id: id });
		await fixture.waitForStatus(id, "queued");
		release();
		await Promise.all([answered, third]);
		expect(statusesOf(await fixture.list(id))).toEqual(["completed", "cancelled", "completed"]);
	});
});

describe("an answer whose client has left", () => {
	it("is cancelled with what was written, where it is of a question", async () => {
		const { id } = await fixture.create();
		const client = new AbortController();
		fixture.reply({ text: "It opens at nine [1].", held: new Promise(() => undefined) });
		const response = await fetch(`${fixture.url}/v1/ask`, {
			method: "POST",
			signal: client.signal,
			headers: { authorization: `Bearer ${fixture.mine.token}`, "content-type": "application/json" },
			body: JSON.stringify({ question: "When does the harbour open?", thread_id: id, stream: true }),
		});
		expect(response.status).toBe(200);
		client.abort();
		const messages = await fixture.waitForStatus(id, "cancelled");
		expect(messages.length).toBe(2);
	});
});
