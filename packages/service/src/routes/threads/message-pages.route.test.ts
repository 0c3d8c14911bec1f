import type { ThreadExport, ThreadMessage, ThreadMessageList } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectApiError } from "../../test-support/expect-error";
import { getBody } from "../../test-support/tenant";
import { startThreadFixture, type ThreadFixture } from "../../threads/test-support/thread-fixture";

const ROUNDS = 51;

let fixture: ThreadFixture;
/** Thread of more messages than a page and a piece of an export have. */
let id: string;
let all: readonly ThreadMessage[];
beforeAll(async () => {
	fixture = await startThreadFixture(built);
	({ id } = await fixture.create());
	for (let round = 0; round < ROUNDS; round++) {
		fixture.reply(`Answer ${round}.`);
		await getBody(fixture.run({ input: `Question ${round}?`, thread_id: id }));
	}
	all = await fixture.list(id);
});
afterAll(() => fixture?.close());

const read = (query: string): Promise<ThreadMessageList> =>
	getBody(fixture.mine.send("GET", `/v1/threads/${id}/messages?${query}`));

/** Reads all pages, one after the other. */
async function readPages(query: string): Promise<readonly (readonly ThreadMessage[])[]> {
	const pages: (readonly ThreadMessage[])[] = [];
	for (let after = ""; ; ) {
		const { messages, has_more, next } = await read(`${query}${after}`);
		pages.push(messages);
		expect(has_more).toBe(next !== null);
		if (next === null) return pages;
		after = `&after=${next}`;
	}
}

describe("the messages of a thread", () => {
	it("are all there, where no page is asked for", async () => {
		expect(await read("")).toEqual({ messages: all, has_more: false, next: null });
		expect(all).toHaveLength(2 * ROUNDS);
	});

	it("come in pages: each once, and in order", async () => {
		const pages = await readPages("limit=40");
		expect(pages.map(({ length }) => length)).toEqual([40, 40, 22]);
		expect(pages.flat()).toEqual(all);
		expect((await read(`after=${all[1]?.id}`)).messages).toEqual(all.slice(2, 22));
	});

	it("come in pages of a branch", async () => {
		fixture.reply("Another one.");
		const parent_id = all[1]?.id;
		await getBody(fixture.run({ input: "Another question?", thread_id: id, parent_id }));
		const last = all.at(-1)?.id;
		const pages = await readPages(`branch=${last}&limit=51`);
		expect(pages.map(({ length }) => length)).toEqual([51, 51]);
		expect(pages.flat()).toEqual(all);
		expectApiError(
			await fixture.mine.send("GET", `/v1/threads/${id}/messages?branch=msg_0&limit=2`),
			404,
			"message_not_found",
		);
	});

	it.each(["limit=0", "limit=101", "limit=x", "after=%20"])("are refused for %s", async (query) => {
		const response = await fixture.mine.send("GET", `/v1/threads/${id}/messages?${query}`);
		expectApiError(response, 400, "invalid_request");
	});
});

it("an export has all messages, and is sent in pieces", async () => {
	const headers = { authorization: `Bearer ${fixture.mine.token}` };
	const response = await fixture.deployment.service.fetch(
		new Request(`http://service.test/v1/threads/${id}/export`, { headers }),
	);
	const pieces: string[] = [];
	const decoder = new TextDecoder();
	for await (const piece of response.body ?? []) pieces.push(decoder.decode(piece, { stream: true }));
	expect(pieces.length).toBeGreaterThan(3);
	const { thread, messages } = JSON.parse(pieces.join("")) as ThreadExport;
	expect(thread).toEqual(await fixture.get(id));
	expect(messages).toEqual(await fixture.list(id));
	expect(messages.length).toBeGreaterThan(2 * ROUNDS);
});

it("an export of a thread without messages is whole", async () => {
	const empty = await fixture.create();
	const exported = await fixture.mine.send("GET", `/v1/threads/${empty.id}/export`);
	expect(exported.body).toMatchObject({ thread: { id: empty.id }, messages: [] });
});
