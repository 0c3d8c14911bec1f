import * as built from "@stemma/service";
import { startOpenAiSimulator } from "@stemma/simulators/openai";
import { createMcpHandler, text, useRpcServer } from "@stemma/simulators/rpc";
import OpenAI from "openai";
import { zodTextFormat } from "openai/helpers/zod";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { startTestService } from "../../http/test-support/test-service";
import {
	type AnsweringFixture,
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

const openClient = (apiKey: string, headers: Record<string, string> = {}): OpenAI =>
	new OpenAI({
		apiKey,
		baseURL: "http://service.test/v1",
		maxRetries: 0,
		fetch: fixture.fetch,
		defaultHeaders: headers,
	});

const input = "How long does a refund take?";
const lastMessages = () => fixture.vendor.requests.at(-1)?.body?.messages;
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
	work.then(
		() => undefined,
		(error: unknown) => error,
	);
const create = (fields: object, asking = client): Promise<OpenAI.Responses.Response> =>
	asking.responses.create({
		model: "default",
		input,
		...fields,
	} as OpenAI.Responses.ResponseCreateParamsNonStreaming);

/** Starts a response in the background that its vendor never answers. */
async function startEndless(model: string): Promise<OpenAI.Responses.Response> {
	const asked = fixture.vendor.requests.length;
	fixture.vendor.enqueue({ kind: "reply", text: "Never.", delayMs: 60_000 });
	const response = await create({ model, background: true });
	await expect.poll(() => fixture.vendor.requests.length).toBe(asked + 1);
	return response;
}

const CLOCK = {
	type: "function" as const,
	name: "clock",
	strict: false,
	parameters: { type: "object", properties: { zone: { type: "string" } } },
};
const CALL = { id: "call_1", name: "clock", arguments: { zone: "UTC" } };

describe("OpenAI's client gets responses of a model", () => {
	it("whole, with usage and a receipt, and reads them again", async () => {
		fixture.vendor.enqueue({ kind: "reply", text: "Five days.", usage: { inputTokens: 7, outputTokens: 3 } });
		const response = await create({ instructions: "Be brief.", metadata: { page: "1" } });
		expect(response).toMatchObject({
			object: "response",
			status: "completed",
			model: "model",
			output_text: "Five days.",
			instructions: "Be brief.",
			metadata: { page: "1" },
			usage: { input_tokens: 7, output_tokens: 3, total_tokens: 10 },
			stemma: { receipt: [{ input_tokens: 7 }] },
		});
		expect(lastMessages()).toEqual([
			{ role: "system", content: "Be brief." },
			{ role: "user", content: input },
		]);
		const { output_text: _, ...stored } = response;
		const { output_text: __, ...again } = await client.responses.retrieve(response.id);
		expect(again).toEqual(stored);
	});

	it("streamed", async () => {
		fixture.vendor.enqueue({ kind: "reply", text: "It takes five days." });
		const stream = client.responses.stream({ model: "default", input });
		let text = "";
		let deltas = 0;
		stream.on("response.output_text.delta", ({ delta }) => {
			text += delta;
			deltas += 1;
		});
		const response = await stream.finalResponse();
		expect([text, response.output_text]).toEqual(["It takes five days.", "It takes five days."]);
		expect(deltas).toBeGreaterThan(1);
		expect((await client.responses.retrieve(response.id)).output_text).toBe(text);
	});

	it.each([true, false])(
		"with calls of functions, and goes on from them, streamed: %s",
		async (isStreamed) => {
			fixture.vendor.enqueue({ kind: "reply", toolCalls: [CALL] }, { kind: "reply", text: "Noon." });
			const request = { model: "default", input, tools: [CLOCK], instructions: "Be brief." };
			const first = isStreamed
				? await client.responses.stream(request).finalResponse()
				: await client.responses.create(request);
			expect(first.output).toMatchObject([
				{ type: "function_call", call_id: "call_1", name: "clock", arguments: '{"zone":"UTC"}' },
			]);
			const second = await create({
				previous_response_id: first.id,
				input: [{ type: "function_call_output", call_id: "call_1", output: "12:00" }],
				tools: [CLOCK],
			});
			expect(second.output_text).toBe("Noon.");
			// Instructions are of one request alone.
			expect(lastMessages()).toMatchObject([
				{ role: "user", content: input },
				{ role: "assistant", tool_calls: [{ id: "call_1" }] },
				{ role: "tool", tool_call_id: "call_1", content: "12:00" },
			]);
		},
	);

	it("parsed by a schema", async () => {
		fixture.vendor.enqueue({ kind: "reply", text: '{"city":"Bonn"}' });
		const format = zodTextFormat(z.object({ city: z.string() }), "place");
		const { output_parsed } = await client.responses.parse({ model: "default", input, text: { format } });
		expect(output_parsed).toEqual({ city: "Bonn" });
		expect(fixture.vendor.requests.at(-1)?.body).toMatchObject({
			response_format: { type: "json_schema", json_schema: { name: "place", strict: true } },
		});
	});

	it("on branches: each goes on from its own response, and by references to items", async () => {
		const texts = ["One.", "Two.", "Three."];
		fixture.vendor.enqueue(...texts.map((text) => ({ kind: "reply" as const, text })));
		const first = await create({ input: "First?" });
		await create({ input: "Second?", previous_response_id: first.id });
		const item = first.output[0] as { readonly id: string };
		await create({ input: "Other?", previous_response_id: first.id });
		expect(lastMessages()).toEqual([
			{ role: "user", content: "First?" },
			{ role: "assistant", content: "One." },
			{ role: "user", content: "Other?" },
		]);
		await create({
			input: [
				{ type: "item_reference", id: item.id },
				{ role: "user", content: "And?" },
			],
		});
		expect(lastMessages()).toEqual([
			{ role: "assistant", content: "One." },
			{ role: "user", content: "And?" },
		]);
	});

	it("refuses references that are too large together, each time that they are repeated", async () => {
		const text = "x".repeat(500_000);
		fixture.vendor.enqueue({ kind: "reply", text });
		const stored = await create({ input: "One?" });
		const repeated = Array.from({ length: 50 }, () => ({ type: "item_reference", id: stored.output[0]?.id }));
		expect(await failureOf(create({ input: repeated }))).toMatchObject({ status: 400, param: "input" });
	});

	it("in the background, completed, failed and cancelled", async () => {
		fixture.vendor.enqueue({ kind: "reply", text: "Five days." });
		const started = await create({ background: true });
		expect(started).toMatchObject({ status: "in_progress", background: true, output: [] });
		await expect.poll(async () => (await client.responses.retrieve(started.id)).status).toBe("completed");
		expect(await client.responses.cancel(started.id)).toMatchObject({ status: "completed" });
		expect((await client.responses.retrieve(started.id)).output_text).toBe("Five days.");

		fixture.vendor.enqueue({ kind: "failure", status: 400, message: "No." });
		const failing = await create({ background: true });
		await expect.poll(async () => (await client.responses.retrieve(failing.id)).status).toBe("failed");
		expect((await client.responses.retrieve(failing.id)).error?.code).toBe("bad_request");

		const pending = await startEndless("default");
		expect(await failureOf(create({ previous_response_id: pending.id }))).toMatchObject({
			status: 400,
			param: "previous_response_id",
		});
		expect(await client.responses.cancel(pending.id)).toMatchObject({ status: "cancelled", output: [] });
		expect(await client.responses.retrieve(pending.id)).toMatchObject({ status: "cancelled" });
	});

	it("until it deletes them", async () => {
		fixture.vendor.enqueue({ kind: "reply", text: "One." }, { kind: "reply", text: "Two." });
		const first = await create({});
		const second = await create({ previous_response_id: first.id });
		await client.responses.delete(first.id);
		for (const ask of [
			() => client.responses.retrieve(first.id),
			() => client.responses.delete(first.id),
			() => client.responses.cancel(first.id),
			() => create({ previous_response_id: first.id }),
			() => create({ previous_response_id: second.id }),
		])
			expect(await failureOf(ask())).toMatchObject({
				status: 404,
				code: "response_not_found",
				type: "not_found_error",
			});
		expect(await failureOf(client.responses.cancel(second.id))).toMatchObject({ status: 400 });
	});

	it("and none that are not to be stored", async () => {
		fixture.vendor.enqueue({ kind: "reply", text: "One." });
		const response = await create({ store: false });
		expect(response).toMatchObject({ store: false, output_text: "One." });
		expect(await failureOf(client.responses.retrieve(response.id))).toMatchObject({ status: 404 });
	});
});

describe("OpenAI's client gets responses", () => {
	it("of an agent, with citations, whole and streamed, and goes on from them", async () => {
		const text = "Five working days [1].";
		fixture.vendor.enqueue(
			{ kind: "reply", text },
			{ kind: "reply", text },
			{ kind: "reply", text: "Sure." },
		);
		const response = await create({ model: "agent:cited" });
		const annotation = {
			type: "url_citation",
			start_index: 18,
			end_index: 21,
			title: "Returns",
			url: HANDBOOK_URL,
		};
		expect(response).toMatchObject({
			model: "agent:cited",
			output_text: text,
			output: [{ content: [{ annotations: [annotation] }] }],
			stemma: { status: "completed", citations: [{ n: 1 }], receipt: [{ node: "desk" }] },
		});
		const streamed = await client.responses.stream({ model: "agent:cited", input }).finalResponse();
		expect(streamed.output).toMatchObject([{ content: [{ text, annotations: [annotation] }] }]);
		const next = await create({ model: "agent:plain", input: "Really?", previous_response_id: response.id });
		expect(next.output_text).toBe("Sure.");
		expect(lastMessages()).toMatchObject([{ content: input }, { content: text }, { content: "Really?" }]);
	});

	it("of an agent, without text that turned out not to be its answer", async () => {
		const call = { id: "c", name: "books", arguments: { input: "refund" } };
		fixture.vendor.enqueue(
			{ kind: "reply", text: "Let me look.", toolCalls: [call] },
			{ kind: "reply", text: "Five days [1]." },
		);
		const streamed = await client.responses.stream({ model: "agent:reader", input }).finalResponse();
		expect(streamed.output_text).toBe("Five days [1].");
	});

	it("of an agent in the background, also where it waits for a person, and cancels its run", async () => {
		fixture.vendor.enqueue(callRefund(7));
		const waiting = await create({ model: "agent:desk", background: true });
		await expect.poll(async () => (await client.responses.retrieve(waiting.id)).status).toBe("completed");
		const { stemma } = (await client.responses.retrieve(waiting.id)) as unknown as {
			readonly stemma: { readonly run_id: string };
		};
		expect(stemma).toMatchObject({ status: "paused" });
		await fixture.cancel(stemma.run_id);

		const pending = await startEndless("agent:plain");
		expect(await client.responses.cancel(pending.id)).toMatchObject({ status: "cancelled" });
		expect((await fixture.runs("plain"))[0]).toMatchObject({ status: "cancelled" });
	});

	it("of a knowledge base", async () => {
		fixture.vendor.enqueue({ kind: "reply", text: "Five working days [1]." });
		expect(await create({ model: "kb:handbook" })).toMatchObject({
			output_text: "Five working days [1].",
			output: [{ content: [{ annotations: [{ url: HANDBOOK_URL }] }] }],
		});
	});

	it.each([
		[{ instructions: "Be brief." }, "instructions"],
		[{ tools: [CLOCK] }, "tools"],
		[{ text: { format: { type: "json_object" } } }, "text.format"],
		[{ reasoning: { effort: "low" } }, "reasoning.effort"],
		[{ temperature: 1 }, "temperature"],
		[
			{
				input: [
					{ role: "system", content: "Be brief." },
					{ role: "user", content: "?" },
				],
			},
			"input",
		],
	])("and an error where an agent or a knowledge base does not carry out %j", async (fields, param) => {
		for (const model of ["agent:plain", "kb:handbook"])
			expect(await failureOf(create({ model, ...fields }))).toMatchObject({ status: 400, param });
	});

	it("as an error in the middle of a stream", async () => {
		fixture.vendor.enqueue({ kind: "reply", text: "One two three four", fault: { kind: "error", after: 3 } });
		const failing = client.responses.stream({ model: "default", input }).finalResponse();
		expect(await failureOf(failing)).toBeInstanceOf(OpenAI.APIError);
		fixture.vendor.enqueue({ kind: "failure", status: 400, message: "No." });
		expect(
			await failureOf(client.responses.stream({ model: "agent:plain", input }).finalResponse()),
		).toMatchObject({
			code: "run_failed",
		});
	});
});

describe("errors have OpenAI's shape and the names of this route", () => {
	it.each([
		[{ input: [{ role: "robot", content: "Hi." }] }, "input[0].role"],
		[{ input: [{ type: "image_generation_call", id: "ig_1" }] }, "input[0].type"],
		[
			{ input: [{ role: "user", content: [{ type: "input_file", file_id: "file_1" }] }] },
			"input[0].content[0]",
		],
		[{ input: [{ type: "item_reference", id: "msg_none" }] }, "input[0].id"],
		[{ input: Array.from({ length: 10_000 }, () => ({ role: "user", content: "Hi." })) }, "input"],
		[{ text: { format: { type: "json_schema", name: "x" } } }, "text.format.schema"],
		[{ text: { format: { type: "grammar" } } }, "text.format"],
		[{ nonsense: 1 }, "nonsense"],
		[{ model: "model-9" }, "model"],
	])("for %j", async (fields, param) => {
		const error = await failureOf(create(fields));
		expect(error).toBeInstanceOf(OpenAI.APIError);
		expect(error).toMatchObject({ param });
		expect((error as { readonly status: number }).status).toBeLessThan(500);
	});
});

describe("a client key", () => {
	it("reads the responses of its visitor alone", async () => {
		const key = await fixture.makeKey({ models: true });
		const [first, second] = ["a", "b"].map((letter) =>
			openClient(key, { "stemma-visitor": letter.repeat(32) }),
		);
		if (first === undefined || second === undefined) throw new Error("There are two.");
		fixture.vendor.enqueue({ kind: "reply", text: "Five days [1]." }, { kind: "reply", text: "Sure." });
		const response = await create({ model: "agent:cited" }, first);
		expect(response).toMatchObject({ stemma: { receipt: [] } });
		expect(await first.responses.retrieve(response.id)).toMatchObject({ output_text: "Five days [1]." });
		await create({ model: "agent:plain", previous_response_id: response.id }, first);
		for (const other of [second, openClient(key), client, openClient(await fixture.makeKey())])
			for (const ask of [
				() => other.responses.retrieve(response.id),
				() => other.responses.delete(response.id),
				() => other.responses.cancel(response.id),
			])
				expect(await failureOf(ask())).toMatchObject({ status: 404, code: "response_not_found" });
		for (const fields of [{ previous_response_id: response.id }, { background: true }, { store: true }])
			expect(await failureOf(create({ model: "agent:plain", ...fields }, openClient(key)))).toMatchObject({
				status: 400,
				param: "stemma-visitor",
			});
		expect(await failureOf(create({ previous_response_id: response.id }, second))).toMatchObject({
			status: 404,
		});
	});

	it("without a visitor gets responses that are not stored", async () => {
		fixture.vendor.enqueue({ kind: "reply", text: "Five days." });
		const response = await create({ model: "agent:plain" }, openClient(await fixture.makeKey()));
		expect(response).toMatchObject({ store: false, output_text: "Five days." });
	});
});

it("a response in the background that the service cannot end fails, and others stay", async () => {
	const vendor = await startOpenAiSimulator();
	const service = await startTestService({
		providers: {
			main: { provider: "openai-compatible", base_url: vendor.baseUrl, default_model: "model" },
		},
		chat: "main",
	});
	const start = async (fields: object): Promise<string> =>
		(await service.send("/v1/responses", { json: { model: "default", input, ...fields } })).body.id;
	vendor.enqueue({ kind: "reply", text: "Five days." }, { kind: "reply", text: "Never.", delayMs: 60_000 });
	const ended = await start({});
	const pending = await start({ background: true });
	await expect.poll(() => vendor.requests.length).toBe(2);
	await service.restart();
	expect((await service.send(`/v1/responses/${pending}`)).body).toMatchObject({
		status: "failed",
		error: { code: "interrupted" },
	});
	expect((await service.send(`/v1/responses/${ended}`)).body).toMatchObject({ status: "completed" });
	await service.end();
	await vendor.close();
});
