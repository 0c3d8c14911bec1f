import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
	APICallError,
	type LanguageModelV4CallOptions,
	type LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import * as built from "@stemma/service";
import type { OpenAiSimulator } from "@stemma/simulators/openai";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
	DEPLOYMENT_KEY,
	startTestGateway,
	type TestGateway,
	WORKSPACE_KEY,
} from "../../test-support/test-gateway";

// Clients of others, as they are: whoever has one changes its base URL and its key, and nothing else.

let gateway: TestGateway;
beforeAll(async () => {
	gateway = await startTestGateway(built);
});
afterAll(() => gateway?.close());

const usage = { inputTokens: 21, outputTokens: 4, cachedTokens: 8 };
const SCHEMA = {
	type: "object" as const,
	properties: { city: { type: "string" as const }, year: { type: "integer" as const } },
	required: ["city", "year"],
	additionalProperties: false,
};
const PARAMETERS = {
	type: "object" as const,
	properties: { zone: { type: "string" as const } },
	required: ["zone"],
	additionalProperties: false,
};
const CALL = { id: "call_1", name: "clock", arguments: { zone: "UTC" } };
const TEXTS = ["The ferry leaves the harbour.", "A late return costs 12 euro.", "💥 \u0000 e\u0301"];

const payers = [
	{ payer: "deployment", model: "host-model", key: DEPLOYMENT_KEY },
	{ payer: "workspace", model: "own-model", key: WORKSPACE_KEY },
] as const;

describe.each(payers)("on the key of the $payer", ({ payer, model, key }) => {
	let vendor: OpenAiSimulator;
	let other: OpenAiSimulator;
	let callsOfOther: number;
	beforeAll(async () => {
		await gateway.setPayer(payer);
		[vendor, other] =
			payer === "workspace"
				? [gateway.workspaceVendor, gateway.deploymentVendor]
				: [gateway.deploymentVendor, gateway.workspaceVendor];
		callsOfOther = countChats(other);
	});
	afterAll(() => {
		expect(countChats(other)).toBe(callsOfOther);
		const sent = vendor.requests.filter(({ path }) => path.endsWith("/chat/completions"));
		expect(new Set(sent.map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${key}`]));
	});

	const lastBody = () => vendor.requests.at(-1)?.body;
	const row = () => ({
		stage: "answer",
		payer,
		provider: "openai-compatible",
		vendor_host: new URL(vendor.baseUrl).host,
		model,
		input_tokens: 21,
		output_tokens: 4,
		cached_tokens: 8,
		attempts: 1,
	});

	describe("the openai client", () => {
		const messages = [{ role: "user" as const, content: "What time is it?" }];
		const tools = [
			{ type: "function" as const, function: { name: "clock", strict: true, parameters: PARAMETERS } },
		];
		const ask = { model: "default", messages };
		const client = (options: ConstructorParameters<typeof OpenAI>[0] = {}): OpenAI =>
			new OpenAI({ apiKey: gateway.token, baseURL: gateway.baseURL, maxRetries: 0, ...options });

		it("gets an answer, with usage and a receipt", async () => {
			vendor.enqueue({ kind: "reply", text: "Noon.", usage });
			const { data, response } = await client().chat.completions.create(ask).withResponse();
			expect(data).toMatchObject({
				object: "chat.completion",
				model,
				choices: [{ message: { content: "Noon." }, finish_reason: "stop" }],
				usage: { prompt_tokens: 21, completion_tokens: 4, total_tokens: 25 },
				stemma: { receipt: [row()] },
			});
			expect(response.headers.get("stemma-receipt-id")).toMatch(/^rcp_/);
		});

		it("gets a stream, with usage and a receipt at its end", async () => {
			vendor.enqueue({ kind: "reply", text: "It is noon, as far as one knows.", usage });
			const stream = await client().chat.completions.create({
				...ask,
				stream: true,
				stream_options: { include_usage: true },
			});
			const chunks: OpenAI.ChatCompletionChunk[] = [];
			for await (const chunk of stream) chunks.push(chunk);
			expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe(
				"It is noon, as far as one knows.",
			);
			expect(chunks.filter(({ choices }) => choices[0]?.delta.content).length).toBeGreaterThan(1);
			expect(chunks.at(-1)).toMatchObject({ usage: { total_tokens: 25 }, stemma: { receipt: [row()] } });
		});

		it.each([false, true])("calls a tool and goes on, streamed: %s", async (isStreamed) => {
			vendor.enqueue({ kind: "reply", text: "Let me see.", toolCalls: [CALL], usage });
			const { completions } = client().chat;
			const pending = isStreamed
				? completions.stream({ ...ask, tools }).finalChatCompletion()
				: completions.create({ ...ask, tools });
			const [choice] = (await pending).choices;
			expect(choice).toMatchObject({
				finish_reason: "tool_calls",
				message: {
					content: "Let me see.",
					tool_calls: [{ id: "call_1", function: { name: "clock", arguments: '{"zone":"UTC"}' } }],
				},
			});
			if (choice === undefined) return;
			vendor.enqueue({ kind: "reply", text: "Noon.", usage });
			const answer = { role: "tool" as const, tool_call_id: "call_1", content: "12:00" };
			const second = await completions.create({
				...ask,
				tools,
				messages: [...messages, choice.message, answer],
			});
			expect(second.choices[0]?.message.content).toBe("Noon.");
			expect(lastBody()).toMatchObject({
				messages: [
					...messages,
					{ role: "assistant", content: "Let me see.", tool_calls: [{ id: "call_1", type: "function" }] },
					answer,
				],
				tools: [{ function: { name: "clock" } }],
			});
		});

		it("gets output by a schema", async () => {
			vendor.enqueue({ kind: "reply", text: '{"city":"Aarhus","year":1441}', usage });
			const { choices } = await client().chat.completions.parse({
				...ask,
				response_format: {
					type: "json_schema",
					json_schema: { name: "place", strict: true, schema: SCHEMA },
				},
			});
			expect(choices[0]?.message.parsed).toEqual({ city: "Aarhus", year: 1441 });
			expect(lastBody()?.response_format).toMatchObject({
				type: "json_schema",
				json_schema: { schema: SCHEMA },
			});
		});

		it("gives up a question, and so does the service", async () => {
			vendor.enqueue({ kind: "silence" });
			const giving = new AbortController();
			const pending = client().chat.completions.create(ask, { signal: giving.signal });
			const refused = expect(pending).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
			await expectAborted(vendor, () => giving.abort());
			await refused;
		});

		it("gives up a stream, and so does the service", async () => {
			vendor.enqueue({ kind: "reply", text: "A long answer. ".repeat(200), pauseMs: 20 });
			const stream = await client().chat.completions.create({ ...ask, stream: true });
			for await (const { choices } of stream) if (choices[0]?.delta.content) break;
			await expectAborted(vendor, () => stream.controller.abort());
		});

		it.each([false, true])("meets errors of its own classes, streamed: %s", async (stream) => {
			const bad = client({ apiKey: "nothing" }).chat.completions.create({ ...ask, stream });
			await expectError(bad, OpenAI.AuthenticationError, 401, "invalid_credentials");
			const chosen = { ...ask, stream, stemma: { provider: "bedrock" } };
			const refused = client().chat.completions.create(chosen);
			await expectError(refused, OpenAI.UnprocessableEntityError, 422, "credential_required");
			vendor.enqueue({ kind: "failure", status: 429, code: "insufficient_quota", message: "You are poor." });
			const poor = client().chat.completions.create({ ...ask, stream });
			await expectError(poor, OpenAI.RateLimitError, 429, "quota");
			vendor.enqueue({ kind: "failure", status: 401, message: `Incorrect API key provided: ${key}` });
			const wrong = client().chat.completions.create({ ...ask, stream });
			await expectError(wrong, OpenAI.InternalServerError, 502, "invalid_credential");
			const expectedError = { details: { receipt: [{ stage: "answer", payer, model, input_tokens: 0 }] } };
			await expect(wrong).rejects.toMatchObject({ error: expectedError });
			const none = client().chat.completions.create({ ...ask, stream, messages: [] });
			await expectError(none, OpenAI.BadRequestError, 400, "invalid_request");
		});

		it("learns of a stream that fails half-way", async () => {
			vendor.enqueue({ kind: "reply", text: "It is almost noon.", fault: { kind: "error", after: 3 } });
			const stream = await client().chat.completions.create({ ...ask, stream: true });
			const reading = (async () => {
				for await (const _ of stream);
			})();
			const failure = await reading.catch((error: unknown) => error);
			expect(failure).toBeInstanceOf(OpenAI.APIError);
			const paid = { stage: "answer", payer, model, estimated: true };
			expect(failure).toMatchObject({ error: { details: { receipt: [paid] } } });
		});

		// By itself the client asks for base64, and unpacks it.
		it.each([undefined, "base64", "float"] as const)("gets vectors, asked for as %s", async (format) => {
			const encoding = format === undefined ? {} : { encoding_format: format };
			const { data, model: named } = await client().embeddings.create({
				model: "default",
				input: TEXTS,
				...encoding,
			});
			expect(named).toBe("host-vectors");
			const expectedVectors = await fetchVectors(gateway.deploymentVendor);
			expect(data.map(({ index }) => index)).toEqual([0, 1, 2]);
			for (const [index, { embedding }] of data.entries()) {
				const numbers = format === "base64" ? fromBase64(String(embedding)) : [...embedding];
				expect(numbers).toEqual(expectedVectors[index]);
			}
		});

		it("lists models", async () => {
			const ids: string[] = [];
			for await (const { id } of client().models.list()) ids.push(id);
			expect(ids).toEqual(payer === "workspace" ? ["default", model] : ["default", model, "host-second"]);
		});
	});

	describe("the AI SDK", () => {
		const prompt: LanguageModelV4CallOptions["prompt"] = [
			{ role: "system", content: "Be brief." },
			{ role: "user", content: [{ type: "text", text: "What time is it?" }] },
		];
		const tools = [{ type: "function" as const, name: "clock", inputSchema: PARAMETERS }];
		const provider = (apiKey = gateway.token) =>
			createOpenAICompatible({
				name: "stemma",
				baseURL: gateway.baseURL,
				apiKey,
				includeUsage: true,
				supportsStructuredOutputs: true,
			});
		const chat = (apiKey?: string) => provider(apiKey)("default");
		const tokens = { inputTokens: { total: 21, cacheRead: 8 }, outputTokens: { total: 4 } };

		it("gets an answer, with usage and a receipt", async () => {
			vendor.enqueue({ kind: "reply", text: "Noon.", usage });
			const { content, finishReason, usage: counted, response } = await chat().doGenerate({ prompt });
			expect(content).toEqual([{ type: "text", text: "Noon." }]);
			expect(finishReason.unified).toBe("stop");
			expect(counted).toMatchObject(tokens);
			expect(response?.body).toMatchObject({ model, stemma: { receipt: [row()] } });
			expect(lastBody()?.messages).toEqual([
				{ role: "system", content: "Be brief." },
				{ role: "user", content: "What time is it?" },
			]);
		});

		it("gets a stream, with usage and a receipt at its end", async () => {
			vendor.enqueue({ kind: "reply", text: "It is noon.", usage });
			const parts = await readParts(chat().doStream({ prompt, includeRawChunks: true }));
			expect(textOf(parts)).toBe("It is noon.");
			expect(parts.at(-1)).toMatchObject({ type: "finish", usage: tokens });
			const raw = parts.filter((part) => part.type === "raw").at(-1);
			expect(raw?.rawValue).toMatchObject({ stemma: { receipt: [row()] } });
		});

		it.each([false, true])("calls a tool and goes on, streamed: %s", async (isStreamed) => {
			vendor.enqueue({ kind: "reply", toolCalls: [CALL], usage });
			const content: readonly { readonly type: string }[] = isStreamed
				? await readParts(chat().doStream({ prompt, tools }))
				: (await chat().doGenerate({ prompt, tools })).content;
			const call = content.find(({ type }) => type === "tool-call");
			expect(call).toMatchObject({ toolCallId: "call_1", toolName: "clock", input: '{"zone":"UTC"}' });
			vendor.enqueue({ kind: "reply", text: "Noon.", usage });
			const named = { toolCallId: "call_1", toolName: "clock" };
			const second = await chat().doGenerate({
				tools,
				prompt: [
					...prompt,
					{ role: "assistant", content: [{ type: "tool-call", ...named, input: { zone: "UTC" } }] },
					{
						role: "tool",
						content: [{ type: "tool-result", ...named, output: { type: "text", value: "12:00" } }],
					},
				],
			});
			expect(second.content).toEqual([{ type: "text", text: "Noon." }]);
			expect(lastBody()?.messages).toMatchObject([
				{},
				{},
				{ role: "assistant", tool_calls: [{ id: "call_1", function: { arguments: '{"zone":"UTC"}' } }] },
				{ role: "tool", tool_call_id: "call_1", content: "12:00" },
			]);
		});

		it("gets output by a schema", async () => {
			vendor.enqueue({ kind: "reply", text: '{"city":"Aarhus","year":1441}', usage });
			const responseFormat = { type: "json" as const, schema: SCHEMA, name: "place" };
			const { content } = await chat().doGenerate({ prompt, responseFormat });
			expect(content).toEqual([{ type: "text", text: '{"city":"Aarhus","year":1441}' }]);
			expect(lastBody()?.response_format).toMatchObject({ json_schema: { schema: SCHEMA } });
		});

		it("gives up a question, and so does the service", async () => {
			vendor.enqueue({ kind: "silence" });
			const giving = new AbortController();
			const pending = chat().doGenerate({ prompt, abortSignal: giving.signal });
			const refused = expect(pending).rejects.toMatchObject({ name: "AbortError" });
			await expectAborted(vendor, () => giving.abort());
			await refused;
		});

		it("gives up a stream, and so does the service", async () => {
			vendor.enqueue({ kind: "reply", text: "A long answer. ".repeat(200), pauseMs: 20 });
			const giving = new AbortController();
			const { stream } = await chat().doStream({ prompt, abortSignal: giving.signal });
			const reader = stream.getReader();
			while ((await reader.read()).value?.type !== "text-delta");
			await expectAborted(vendor, () => giving.abort());
		});

		it.each(["doGenerate", "doStream"] as const)("meets errors of its own class: %s", async (method) => {
			const failure = async (pending: PromiseLike<unknown>): Promise<unknown> => {
				const error = await pending.then(undefined, (caught: unknown) => caught);
				if (!APICallError.isInstance(error)) throw error;
				const { statusCode, isRetryable, data } = error;
				expect(`${error.message}${error.responseBody}`).not.toContain(key);
				return [statusCode, isRetryable, (data as { error: { code: string } }).error.code];
			};
			expect(await failure(chat("nothing")[method]({ prompt }))).toEqual([401, false, "invalid_credentials"]);
			const stemma = { stemma: { stemma: { provider: "bedrock" } } };
			expect(await failure(chat()[method]({ prompt, providerOptions: stemma }))).toEqual([
				422,
				false,
				"credential_required",
			]);
			vendor.enqueue({ kind: "failure", status: 429, code: "insufficient_quota" });
			expect(await failure(chat()[method]({ prompt }))).toEqual([429, true, "quota"]);
			vendor.enqueue({ kind: "failure", status: 401, message: `Incorrect API key provided: ${key}` });
			expect(await failure(chat()[method]({ prompt }))).toEqual([502, true, "invalid_credential"]);
		});

		it("gets vectors", async () => {
			const { embeddings, usage: counted } = await provider()
				.embeddingModel("host-vectors")
				.doEmbed({ values: TEXTS });
			expect(embeddings).toEqual(await fetchVectors(gateway.deploymentVendor));
			expect(counted?.tokens).toBeGreaterThan(0);
		});
	});

	async function expectError(
		pending: Promise<unknown>,
		type: new (...parameters: never[]) => Error,
		status: number,
		code: string,
	): Promise<void> {
		const error = await pending.then(
			() => new Error("It did not fail."),
			(caught: unknown) => caught,
		);
		expect(error).toBeInstanceOf(type);
		expect(error).toMatchObject({ status, code, requestID: expect.stringMatching(/^req_/) });
		expect(JSON.stringify(error) + String(error)).not.toContain(key);
	}
});

describe("a client key as the API key", () => {
	const messages = [{ role: "user" as const, content: "What time is it?" }];
	const addKey = async (fields: object = {}): Promise<OpenAI> => {
		const json = { name: "app", native: true, models: true, ...fields };
		const { body } = await gateway.send("POST", "/v1/client-keys", { json });
		const { client_key: apiKey } = body as { readonly client_key: string };
		return new OpenAI({ apiKey, baseURL: gateway.baseURL, maxRetries: 0 });
	};

	it("gets answers and vectors, and learns not whose they are", async () => {
		const client = await addKey();
		const answers = [
			await client.chat.completions.create({ model: "default", messages }),
			await client.embeddings.create({ model: "default", input: TEXTS }),
			(await client.models.list()).data,
		];
		expect(answers[0]).toMatchObject({ model: "default", stemma: { receipt: [] } });
		expect(JSON.stringify(answers)).not.toMatch(/(host|own)-(model|second|vectors)/);
		const choosing = client.chat.completions.create({ model: "host-second", messages });
		await expect(choosing).rejects.toBeInstanceOf(OpenAI.PermissionDeniedError);
		await expect(choosing).rejects.toMatchObject({ code: "model_choice_not_allowed" });
	});

	it("is told to wait, in a header that the client obeys", async () => {
		const client = await addKey({ requests_per_minute: 1 });
		await client.models.list();
		const failure = await client.chat.completions
			.create({ model: "default", messages })
			.catch((error: unknown) => error);
		if (!(failure instanceof OpenAI.RateLimitError)) throw failure;
		expect(failure.code).toBe("rate_limited");
		expect(Number(failure.headers.get("retry-after"))).toBeGreaterThan(0);
	});
});

it("has written down what each of them paid", async () => {
	await vi.waitFor(async () => {
		const { body } = await gateway.send("GET", "/v1/usage?stage=answer");
		const { data } = body as { readonly data: readonly { payer: string; model: string; calls: number }[] };
		for (const { payer, model } of payers)
			expect(data.find((row) => row.payer === payer)).toMatchObject({
				model,
				provider: "openai-compatible",
				// Those that were given up, or that failed half-way.
				estimated_calls: expect.toSatisfy((count: number) => count > 2),
			});
	}, 30_000);
});

const countChats = ({ requests }: OpenAiSimulator): number =>
	requests.filter(({ path }) => path.endsWith("/chat/completions")).length;

/** What is given up is not worked on any more. */
async function expectAborted(vendor: OpenAiSimulator, abort: () => void): Promise<void> {
	const before = vendor.requests.filter(({ isAborted }) => isAborted).length;
	await expect.poll(() => vendor.requests.at(-1)?.isAnswered).toBe(false);
	abort();
	await expect.poll(() => vendor.requests.filter(({ isAborted }) => isAborted).length).toBe(before + 1);
}

/** What the vendor makes of the texts by itself. */
async function fetchVectors({ baseUrl }: OpenAiSimulator): Promise<readonly (readonly number[])[]> {
	const response = await fetch(`${baseUrl}/embeddings`, {
		method: "POST",
		headers: { authorization: `Bearer ${DEPLOYMENT_KEY}`, "content-type": "application/json" },
		body: JSON.stringify({ model: "host-vectors", input: TEXTS }),
	});
	const { data } = (await response.json()) as { readonly data: readonly { embedding: number[] }[] };
	return data.map(({ embedding }) => embedding);
}

function fromBase64(text: string): readonly number[] {
	const bytes = Buffer.from(text, "base64");
	return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(4 * index));
}

async function readParts(
	streaming: PromiseLike<{ readonly stream: ReadableStream<LanguageModelV4StreamPart> }>,
): Promise<readonly LanguageModelV4StreamPart[]> {
	const parts: LanguageModelV4StreamPart[] = [];
	for await (const part of (await streaming).stream) parts.push(part);
	return parts;
}

const textOf = (parts: readonly LanguageModelV4StreamPart[]): string =>
	parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join("");
