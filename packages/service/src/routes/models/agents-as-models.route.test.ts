import * as built from "@stemma/service";
import { createMcpHandler, text, useRpcServer } from "@stemma/simulators/rpc";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	type AnsweringFixture,
	HANDBOOK_TEXT,
	HANDBOOK_URL,
	startAnsweringFixture,
} from "../../test-support/answering-fixture";
import { callRefund, REFUND_TOOLS } from "../../test-support/refund-graph";

const server = useRpcServer();
let fixture: AnsweringFixture;
let client: OpenAI;
beforeAll(async () => {
	server.handle(
		createMcpHandler({ era: "modern", tools: REFUND_TOOLS, ttlMs: 0, call: () => text("It is refunded.") }),
	);
	fixture = await startAnsweringFixture(built, server.url);
	client = openClient(fixture.token);
});
afterAll(() => fixture?.close());

const openClient = (apiKey: string): OpenAI =>
	new OpenAI({ apiKey, baseURL: "http://service.test/v1", maxRetries: 0, fetch: fixture.fetch });

const messages = [{ role: "user" as const, content: "How long does a refund take?" }];

/** A completion with what Stemma adds. */
interface Details {
	readonly run_id: string;
	readonly run_token?: string;
	readonly status: string;
	readonly citations: readonly { readonly n: number; readonly text: string }[];
	readonly receipt: readonly object[];
	readonly refused?: string;
}
const detailsOf = (answer: object): Details => (answer as { readonly stemma: Details }).stemma;

const create = (model: string, fields: object = {}, asking = client) =>
	asking.chat.completions.create({
		model,
		messages,
		...fields,
	} as OpenAI.ChatCompletionCreateParamsNonStreaming);

async function stream(model: string, fields: object = {}, asking = client) {
	const chunks: OpenAI.ChatCompletionChunk[] = [];
	const request = {
		model,
		messages,
		stream: true as const,
		stream_options: { include_usage: true },
		...fields,
	};
	for await (const chunk of await asking.chat.completions.create(request)) chunks.push(chunk);
	const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
	return { chunks, text: deltas.map(({ content }) => content ?? "").join(""), deltas };
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
	work.then(
		() => undefined,
		(error: unknown) => error,
	);

describe("the list of models", () => {
	it("has the agents and knowledge bases that the caller may use, behind the models", async () => {
		const { data } = await client.models.list();
		expect(data.map(({ id }) => id)).toEqual([
			"default",
			"model",
			...["agent:plain", "agent:cited", "agent:reader", "agent:json", "agent:desk"],
			"kb:handbook",
		]);
		expect(await client.models.retrieve("kb:handbook")).toMatchObject({
			object: "model",
			owned_by: "stemma",
			stemma: { kind: "knowledge_base", id: fixture.handbook, name: "Handbook" },
		});
	});

	it("has for a client key what it was made for, models left out", async () => {
		const idsFor = async (limits: object): Promise<readonly string[]> =>
			(await openClient(await fixture.makeKey(limits)).models.list()).data.map(({ id }) => id);
		expect(await idsFor({ agents: ["plain"], knowledge_base_ids: [fixture.handbook] })).toEqual([
			"agent:plain",
			"kb:handbook",
		]);
		const { body } = await fixture.send("POST", "/v1/knowledge-bases", { json: { name: "Other" } });
		const { id } = body as { readonly id: string };
		expect(await idsFor({ knowledge_base_ids: [id] })).toEqual([
			...["agent:plain", "agent:json", "agent:desk"],
			"kb:other",
		]);
		await fixture.send("DELETE", `/v1/knowledge-bases/${id}`);
	});
});

describe("an agent as a model", () => {
	it("answers with its run, whole and streamed", async () => {
		fixture.vendor.enqueue(
			{ kind: "reply", text: "Good morning." },
			{ kind: "reply", text: "Good morning." },
		);
		const answer = await create("agent:plain");
		expect(answer).toMatchObject({
			model: "agent:plain",
			choices: [{ message: { content: "Good morning." }, finish_reason: "stop" }],
			stemma: { status: "completed", citations: [], receipt: [{ node: "plain" }] },
		});
		expect(answer.usage?.total_tokens).toBeGreaterThan(0);
		const run = await fixture.send("GET", `/v1/runs/${detailsOf(answer).run_id}`);
		expect(run.body).toMatchObject({ status: "completed", agent_slug: "plain" });
		const { text, chunks } = await stream("agent:plain");
		expect(text).toBe("Good morning.");
		expect(chunks.filter(({ choices }) => choices[0]?.delta.content).length).toBeGreaterThan(1);
		expect(chunks.at(-1)).toMatchObject({ usage: {}, stemma: { status: "completed" } });
	});

	it("gets what was said before, and the text of parts", async () => {
		fixture.vendor.enqueue({ kind: "reply", text: "As I said." });
		await create("agent:plain", {
			messages: [
				{ role: "user", content: "Hello?" },
				{ role: "assistant", content: "Hi." },
				{ role: "user", content: [{ type: "text", text: "What did you say?" }] },
			],
		});
		expect(fixture.vendor.requests.at(-1)?.body).toMatchObject({
			messages: [
				{ role: "user", content: "Hello?" },
				{ role: "assistant", content: "Hi." },
				{ role: "user", content: "What did you say?" },
			],
		});
	});

	it("cites pages as OpenAI's models do, whole and streamed", async () => {
		const text = "It takes five working days [1].";
		fixture.vendor.enqueue({ kind: "reply", text }, { kind: "reply", text });
		const answer = await create("agent:cited");
		const url_citation = { start_index: 27, end_index: 30, title: "Returns", url: HANDBOOK_URL };
		expect(text.slice(27, 30)).toBe("[1]");
		expect(answer.choices[0]?.message.annotations).toEqual([{ type: "url_citation", url_citation }]);
		expect(detailsOf(answer).citations).toMatchObject([{ n: 1, text: HANDBOOK_TEXT }]);
		const { deltas } = await stream("agent:cited");
		expect(deltas.filter((delta) => "annotations" in delta)).toEqual([
			{ annotations: [{ type: "url_citation", url_citation }] },
		]);
	});

	it("has text that turned out not to be its answer in a paragraph before it, where that was sent", async () => {
		const call = { id: "c", name: "books", arguments: { input: "refund" } };
		const replies = [
			{ kind: "reply", text: "Let me look.", toolCalls: [call] },
			{ kind: "reply", text: "Five days [1]." },
		] as const;
		fixture.vendor.enqueue(...replies, ...replies);
		const answer = await create("agent:reader");
		expect(answer.choices[0]?.message.content).toBe("Five days [1].");
		const { text, deltas } = await stream("agent:reader");
		expect(text).toBe("Let me look.\n\nFive days [1].");
		const [delta] = deltas.filter((one) => "annotations" in one);
		const at = text.indexOf("[1]");
		expect(delta).toMatchObject({
			annotations: [{ url_citation: { start_index: at, end_index: at + 3, url: HANDBOOK_URL } }],
		});
	});

	it("gives output that is JSON as text", async () => {
		const json = { kind: "reply", text: '{"city":"Bonn"}' } as const;
		fixture.vendor.enqueue(json, json);
		expect((await create("agent:json")).choices[0]?.message.content).toBe('{"city":"Bonn"}');
		expect((await stream("agent:json")).text).toBe('{"city":"Bonn"}');
	});

	it("is cut at the limit of tokens", async () => {
		fixture.vendor.enqueue({ kind: "reply", text: "one two three four five" });
		const { choices } = await create("agent:plain", { max_tokens: 4 });
		expect(choices).toMatchObject([{ message: { content: "one two " }, finish_reason: "length" }]);
	});

	it("says that it waits for a person", async () => {
		fixture.vendor.enqueue(callRefund(7));
		const answer = await create("agent:desk");
		const { run_id } = detailsOf(answer);
		expect(answer.choices[0]?.message.content).toContain(run_id);
		expect(detailsOf(answer)).toMatchObject({ status: "paused", approvals: [{ tool: "refund" }] });
		await fixture.cancel(run_id);
	});

	it("fails with an error that no client sends again by itself, whole and streamed", async () => {
		const retrying = new OpenAI({
			apiKey: fixture.token,
			baseURL: "http://service.test/v1",
			maxRetries: 3,
			fetch: fixture.fetch,
		});
		const count = async () => (await fixture.runs("plain")).length;
		const before = await count();
		const fail = { kind: "failure", status: 400, message: "No." } as const;
		fixture.vendor.enqueue(fail, fail);
		const error = await failureOf(create("agent:plain", {}, retrying));
		expect(error).toMatchObject({ status: 422, code: "run_failed", type: "invalid_request_error" });
		const streamed = await failureOf(stream("agent:plain", {}, retrying));
		expect(streamed).toMatchObject({ code: "run_failed" });
		expect(await count()).toBe(before + 2);
	});

	it("is cancelled when its client leaves", async () => {
		const asked = fixture.vendor.requests.length;
		fixture.vendor.enqueue({ kind: "reply", text: "Never sent.", delayMs: 60_000 });
		const controller = new AbortController();
		const pending = failureOf(
			client.chat.completions.create({ model: "agent:plain", messages }, { signal: controller.signal }),
		);
		await expect.poll(() => fixture.vendor.requests.length).toBe(asked + 1);
		controller.abort();
		await pending;
		await expect.poll(async () => (await fixture.runs("plain"))[0]?.status).toBe("cancelled");
	});

	it.each([
		[{ tools: [{ type: "function", function: { name: "clock" } }] }, "tools"],
		[{ messages: [{ role: "system", content: "Be brief." }, ...messages] }, "messages"],
		[{ response_format: { type: "json_object" } }, "response_format"],
		[{ temperature: 0 }, "temperature"],
		[{ stop: "END" }, "stop"],
		[{ parallel_tool_calls: false, tools: [{ type: "function", function: { name: "clock" } }] }, "tools"],
		[{ reasoning_effort: "low" }, "reasoning_effort"],
		[{ stemma: { provider: "openai-compatible" } }, "stemma"],
		[{ messages: [{ role: "assistant", content: "Hi." }] }, "messages"],
		[
			{ messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "data:," } }] }] },
			"messages[0].content[0]",
		],
	])("refuses %j, and starts nothing", async (fields, param) => {
		const before = (await fixture.runs()).length;
		for (const model of ["agent:plain", "kb:handbook"])
			expect(await failureOf(create(model, fields))).toMatchObject({ status: 400, param });
		expect((await fixture.runs()).length).toBe(before);
	});

	it("is not there where the caller may not run it, or nobody has it", async () => {
		expect(await failureOf(create("agent:none"))).toMatchObject({ status: 404, code: "agent_not_found" });
		const key = openClient(await fixture.makeKey({ agents: ["cited"] }));
		expect(await failureOf(create("agent:plain", {}, key))).toMatchObject({ status: 404 });
		expect(await failureOf(create("default", {}, key))).toMatchObject({ status: 403 });
	});

	it("shows a client key its answer, and no receipt", async () => {
		fixture.vendor.enqueue({ kind: "reply", text: "Five days [1]." });
		const key = await fixture.makeKey();
		const answer = await create("agent:cited", {}, openClient(key));
		const { run_id, run_token, receipt, citations } = detailsOf(answer);
		expect(receipt).toEqual([]);
		expect(citations[0]).toHaveProperty("document_url");
		const headers = { "stemma-run-token": run_token ?? "" };
		expect(await fixture.send("GET", `/v1/runs/${run_id}`, { token: key, headers })).toMatchObject({
			status: 200,
		});
	});
});

describe("a knowledge base as a model", () => {
	it("answers with citations, by its slug and its id, whole and streamed", async () => {
		for (const name of ["handbook", fixture.handbook]) {
			fixture.vendor.enqueue({ kind: "reply", text: "Five working days [1]." });
			const answer = await create(`kb:${name}`);
			expect(answer.choices[0]?.message).toMatchObject({
				content: "Five working days [1].",
				annotations: [{ url_citation: { url: HANDBOOK_URL } }],
			});
			expect(detailsOf(answer).citations).toMatchObject([{ n: 1, text: HANDBOOK_TEXT }]);
			expect(detailsOf(answer).receipt.at(-1)).toMatchObject({ stage: "answer" });
		}
		fixture.vendor.enqueue({ kind: "reply", text: "Five working days [1]." });
		expect((await stream("kb:handbook")).text).toBe("Five working days [1].");
	});

	it("says that it has no answer", async () => {
		const answer = await create("kb:handbook", {
			messages: [{ role: "user", content: "Xylophone zebra quartz?" }],
		});
		expect(detailsOf(answer).refused).toBe("no_relevant_passages");
	});

	it("is not there for a key of others", async () => {
		const { body } = await fixture.send("POST", "/v1/knowledge-bases", { json: { name: "Third" } });
		const { id } = body as { readonly id: string };
		const key = openClient(await fixture.makeKey({ knowledge_base_ids: [id] }));
		expect(await failureOf(create("kb:handbook", {}, key))).toMatchObject({
			status: 404,
			code: "knowledge_base_not_found",
		});
	});
});

it("10,000 messages are refused in OpenAI's shape", async () => {
	const many = Array.from({ length: 10_000 }, () => messages[0]);
	for (const model of ["default", "agent:plain"])
		expect(await failureOf(create(model, { messages: many }))).toMatchObject({
			status: 400,
			type: "invalid_request_error",
			param: "messages",
		});
});
