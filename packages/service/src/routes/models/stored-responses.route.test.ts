import * as built from "@stemma/service";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AnsweringFixture, startAnsweringFixture } from "../../test-support/answering-fixture";

let fixture: AnsweringFixture;
let client: OpenAI;
beforeAll(async () => {
	fixture = await startAnsweringFixture(built);
	const baseURL = "http://service.test/v1";
	client = new OpenAI({ apiKey: fixture.token, baseURL, maxRetries: 0, fetch: fixture.fetch });
});
afterAll(() => fixture?.close());

type Event = OpenAI.Responses.ResponseStreamEvent;

const input = "How long does a refund take?";
const start = () => client.responses.create({ model: "default", input, background: true });
const stream = (id: string, starting_after?: number) =>
	client.responses.retrieve(id, { stream: true, ...(starting_after !== undefined && { starting_after }) });

async function readAll(events: AsyncIterable<Event>): Promise<readonly Event[]> {
	const all: Event[] = [];
	for await (const event of events) all.push(event);
	return all;
}

/** Lets the model wait for `release`. */
function hold(text: string): () => void {
	const { promise: held, resolve: release } = Promise.withResolvers<void>();
	fixture.vendor.enqueue({ kind: "reply", text, held });
	return release;
}

const COMPLETED = [
	"response.created",
	"response.in_progress",
	"response.output_item.added",
	"response.content_part.added",
	"response.output_text.delta",
	"response.output_text.done",
	"response.content_part.done",
	"response.output_item.done",
	"response.completed",
];

describe("a response that was streamed, as openai reads it on", () => {
	it("ends with the whole response, however many pieces of it were read", async () => {
		fixture.vendor.enqueue({ kind: "reply", text: "Five working days after we have it." });
		const sent = await readAll(
			await client.responses.create({ model: "default", input, stream: true, store: true }),
		);
		const [created] = sent;
		if (created?.type !== "response.created") return expect.unreachable();
		const { id } = created.response;
		const last = sent.at(-1)?.sequence_number ?? 0;
		for (const after of [0, 2, last - 1, last, 500]) {
			const events = await readAll(await stream(id, after));
			expect(events).toMatchObject([{ type: "response.completed", response: { id, status: "completed" } }]);
			expect(events[0]?.sequence_number).toBeGreaterThan(after);
		}
		expect((await readAll(await stream(id))).map(({ type }) => type)).toEqual(COMPLETED);
	});
});

describe("a response in the background, as openai streams it", () => {
	it("comes with its end, and the same again after it", async () => {
		const release = hold("Five days.");
		const { id } = await start();
		const reading = readAll(await stream(id));
		release();
		const events = await reading;
		expect(events.map(({ type }) => type)).toEqual(COMPLETED);
		expect(events.map(({ sequence_number }) => sequence_number)).toEqual(COMPLETED.map((_, index) => index));
		expect(events.at(-1)).toMatchObject({ response: { id, status: "completed", background: true } });
		expect(await readAll(await stream(id))).toEqual(events);
		for (const after of [0, 3, COMPLETED.length - 1])
			expect(await readAll(await stream(id, after))).toEqual(events.slice(after + 1));
	});

	it("is read on by another reader where the first one has left, also with an agent", async () => {
		const release = hold("Five days.");
		const first = await client.responses.create({
			...{ model: "agent:plain", input, background: true, stream: true },
		});
		let id = "";
		let last = -1;
		for await (const event of first) {
			if (event.type === "response.created") id = event.response.id;
			last = event.sequence_number;
			if (event.type === "response.in_progress") break;
		}
		const rest = readAll(await stream(id, last));
		release();
		expect((await rest).map(({ type }) => type)).toEqual(COMPLETED.slice(2));
	});

	it("ends as failed and as cancelled", async () => {
		fixture.vendor.enqueue({ kind: "failure", status: 400, message: "No." });
		const failing = await start();
		const failed = await readAll(await stream(failing.id));
		expect(failed.map(({ type }) => type)).toEqual([...COMPLETED.slice(0, 2), "response.failed"]);
		expect(failed.at(-1)).toMatchObject({ response: { status: "failed", error: { code: "bad_request" } } });
		fixture.vendor.enqueue({ kind: "silence" });
		const pending = await start();
		const reading = readAll(await stream(pending.id));
		await client.responses.cancel(pending.id);
		expect((await reading).at(-1)).toMatchObject({
			type: "response.failed",
			response: { id: pending.id, status: "cancelled", output: [] },
		});
	});

	it("is refused where it is nobody's, and for a number that is none", async () => {
		await expect(stream("resp_nobody")).rejects.toMatchObject({ status: 404 });
		const { id } = await client.responses.create({ model: "default", input });
		await expect(stream(id, -1)).rejects.toMatchObject({ status: 400 });
	});
});

describe("the items that the request of a response had", () => {
	it("are listed by openai, in pages and both orders", async () => {
		const { id } = await client.responses.create({
			model: "default",
			input: [
				{ role: "user", content: "One?" },
				{ role: "assistant", content: "Two." },
				{ type: "function_call", call_id: "c", name: "look", arguments: "{}" },
				{ type: "function_call_output", call_id: "c", output: "It is there." },
				{ role: "user", content: [{ type: "input_text", text: "Three?" }] },
			],
			tools: [{ type: "function", name: "look", parameters: { type: "object" }, strict: false }],
		});
		const all = [];
		for await (const item of client.responses.inputItems.list(id, { limit: 2, order: "asc" })) all.push(item);
		expect(all).toMatchObject([
			{ type: "message", role: "user", content: [{ type: "input_text", text: "One?" }] },
			{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Two." }] },
			{ type: "function_call", call_id: "c", name: "look", arguments: "{}" },
			{ type: "function_call_output", call_id: "c", output: "It is there." },
			{ type: "message", role: "user", content: [{ type: "input_text", text: "Three?" }] },
		]);
		expect(new Set(all.map((item) => item.id)).size).toBe(5);
		const newest = await client.responses.inputItems.list(id, { limit: 2 });
		expect(newest.data).toEqual(all.slice(3).toReversed());
		expect(newest.has_more).toBe(true);
		await expect(client.responses.inputItems.list(id, { after: "in_nobody_0" })).rejects.toMatchObject({
			status: 400,
			param: "after",
		});
		await expect(client.responses.inputItems.list("resp_nobody")).rejects.toMatchObject({ status: 404 });
	});
});
