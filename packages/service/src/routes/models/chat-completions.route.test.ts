import { setTimeout as wait } from "node:timers/promises";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getToken, startTestService, type TestService } from "../../http/test-support/test-service";

let vendor: OpenAiSimulator;
let service: TestService;
let client: OpenAI;

beforeAll(async () => {
	vendor = await startOpenAiSimulator({ apiKey: "sk-vendor" });
	service = await startTestService({
		providers: {
			main: {
				provider: "openai-compatible",
				base_url: vendor.baseUrl,
				credential: { value: "sk-vendor" },
				default_model: "gpt-test",
			},
		},
		chat: "main",
	});
	client = new OpenAI({
		apiKey: await getToken(service.current(), service.credentials),
		baseURL: "http://127.0.0.1:4000/v1",
		maxRetries: 0,
		fetch: (url, init) => service.current().fetch(new Request(url, init)),
	});
});
afterAll(async () => {
	await service.end();
	await vendor.close();
});

const messages = [{ role: "user" as const, content: "Hello?" }];
const usage = { inputTokens: 11, outputTokens: 3 };
const row = { payer: "deployment", provider: "openai-compatible", input_tokens: 11, output_tokens: 3 };

describe("the vendor's own client", () => {
	it("lists models", async () => {
		const ids: string[] = [];
		for await (const { id } of client.models.list()) ids.push(id);
		expect(ids).toEqual(["default", "gpt-test"]);
	});

	it("gets an answer with usage, and a receipt beside it", async () => {
		vendor.enqueue({ kind: "reply", text: "Hi.", usage });
		const { data: answer, response } = await client.chat.completions
			.create({ model: "default", messages })
			.withResponse();
		expect(response.headers.get("stemma-receipt-id")).toMatch(/^rcp_/);
		expect(answer).toMatchObject({
			object: "chat.completion",
			model: "gpt-test",
			choices: [{ message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }],
			usage: { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 },
			stemma: { receipt: [row] },
		});
	});

	it("streams, with usage and the receipt in the last chunk", async () => {
		vendor.enqueue({ kind: "reply", text: "One two three.", usage });
		const stream = await client.chat.completions.create({
			model: "default",
			messages,
			stream: true,
			stream_options: { include_usage: true },
		});
		const chunks: OpenAI.ChatCompletionChunk[] = [];
		for await (const chunk of stream) chunks.push(chunk);
		expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe("One two three.");
		expect(chunks.at(-1)).toMatchObject({
			choices: [],
			usage: { total_tokens: 14 },
			stemma: { receipt: [row] },
		});
	});

	it("calls tools, streamed, and gives their answers back", async () => {
		vendor.enqueue({
			kind: "reply",
			toolCalls: [{ id: "call_1", name: "clock", arguments: { zone: "UTC" } }],
		});
		const tools = [
			{
				type: "function" as const,
				function: { name: "clock", parameters: { type: "object", properties: {} } },
			},
		];
		const first = await client.chat.completions
			.stream({ model: "default", messages, tools })
			.finalChatCompletion();
		const [choice] = first.choices;
		expect(choice).toMatchObject({
			finish_reason: "tool_calls",
			message: { tool_calls: [{ id: "call_1", function: { name: "clock", arguments: '{"zone":"UTC"}' } }] },
		});
		vendor.enqueue({ kind: "reply", text: "Noon." });
		const calls = choice?.message.tool_calls ?? [];
		const second = await client.chat.completions.create({
			model: "default",
			tools,
			messages: [
				...messages,
				{ role: "assistant", content: null, tool_calls: calls },
				{ role: "tool", tool_call_id: "call_1", content: "12:00" },
			],
		});
		expect(second.choices[0]?.message.content).toBe("Noon.");
	});

	it.each([true, false])("meets errors of its own classes, streamed: %s", async (stream) => {
		vendor.enqueue({ kind: "failure", status: 401, message: "Incorrect API key provided: sk-vendor" });
		const failure = await client.chat.completions.create({ model: "default", messages, stream }).then(
			() => undefined,
			(error: unknown) => error,
		);
		expect(failure).toBeInstanceOf(OpenAI.APIError);
		expect(failure).toMatchObject({ status: 502, code: "invalid_credential" });
		expect(JSON.stringify(failure)).not.toContain("sk-vendor");
		await expect(client.chat.completions.create({ model: "gpt-9", messages, stream })).rejects.toMatchObject({
			status: 422,
			code: "model_not_allowed",
		});
	});
});

it("tells a client key the answer, and not what the model thinks", async () => {
	const { body } = await service.send("/v1/client-keys", {
		json: { name: "page", native: true, models: true },
	});
	const json = { model: "default", messages, stream: true };
	const send = async (credential?: string): Promise<string> => {
		vendor.enqueue({ kind: "reply", text: "Noon.", reasoning: "PRIVATE" });
		const request = new Request("http://127.0.0.1:4000/v1/chat/completions", {
			method: "POST",
			body: JSON.stringify(json),
			headers: {
				"content-type": "application/json",
				authorization: `Bearer ${credential ?? (await getToken(service.current(), service.credentials))}`,
			},
		});
		return (await service.current().fetch(request)).text();
	};
	expect(await send()).toContain("reasoning_content");
	const withReceipt = await send(body.client_key);
	expect(withReceipt).toContain('"content":"No');
	expect(withReceipt).not.toContain("reasoning_content");
});

describe("what changes the answer", () => {
	const tools = [
		{ type: "function" as const, function: { name: "clock", parameters: { type: "object" } } },
		{ type: "function" as const, function: { name: "map", parameters: { type: "object" } } },
	];
	const ask = { model: "default", messages };
	const lastBody = () => vendor.requests.at(-1)?.body;
	const failureOf = (pending: Promise<unknown>) =>
		pending.then(
			() => Promise.reject(new Error("It did not fail.")),
			(error: unknown) => error as InstanceType<typeof OpenAI.APIError>,
		);

	it("reaches the vendor", async () => {
		const settings = {
			temperature: 1.5,
			top_p: 0.5,
			seed: 7,
			stop: ["END"],
			frequency_penalty: 0.5,
			presence_penalty: -0.5,
			logit_bias: { 42: -100 },
			reasoning_effort: "low" as const,
			verbosity: "high" as const,
			parallel_tool_calls: false,
		};
		await client.chat.completions.create({ ...ask, ...settings, tools });
		expect(lastBody()).toMatchObject(settings);
		await client.chat.completions.create({
			...ask,
			...settings,
			...{ user: "u", metadata: { a: "b" }, store: true, service_tier: "flex" },
		});
		expect(Object.keys(lastBody() ?? {}).sort()).toEqual(
			["model", "messages", ...Object.keys(settings)].filter((name) => name !== "parallel_tool_calls").sort(),
		);
	});

	it.each([
		["required", "required"],
		[
			{ type: "function", function: { name: "map" } } as const,
			{ type: "function", function: { name: "map" } },
		],
	] as const)("reaches the vendor: the choice of %j", async (tool_choice, sent) => {
		vendor.enqueue({ kind: "reply", toolCalls: [{ name: "map", arguments: {} }] });
		const { choices } = await client.chat.completions.create({ ...ask, tools, tool_choice });
		expect(lastBody()).toMatchObject({ tool_choice: sent });
		expect(choices[0]?.message.tool_calls).toMatchObject([{ function: { name: "map" } }]);
	});

	it("reaches the vendor: who speaks", async () => {
		const messages = [{ role: "user" as const, content: "Hello?", name: "ada" }];
		await client.chat.completions.create({ ...ask, messages });
		expect(lastBody()).toMatchObject({ messages });
	});

	it.each([
		["temperature", 1],
		["top_p", 1],
		["seed", 1],
		["stop", "END"],
		["frequency_penalty", 1],
		["presence_penalty", 1],
		["logit_bias", { 42: 1 }],
		["reasoning_effort", "low"],
		["verbosity", "low"],
		["parallel_tool_calls", false],
	])("is refused where the vendor refuses it: %s", async (param, value) => {
		vendor.enqueue({
			kind: "failure",
			status: 400,
			message: `Unsupported parameter: '${param}' is not supported with this model.`,
			code: "unsupported_parameter",
			param,
		});
		const failure = await failureOf(client.chat.completions.create({ ...ask, tools, [param]: value }));
		expect(failure).toBeInstanceOf(OpenAI.BadRequestError);
		expect(failure).toMatchObject({ code: "unsupported_parameter", param, type: "invalid_request_error" });
		expect(failure.error).toMatchObject({ hint: expect.any(String) });
	});

	it("is refused where nobody knows it", async () => {
		const pending = vendor.requests.length;
		const failure = await failureOf(client.chat.completions.create({ ...ask, ...{ top_k: 5 } }));
		expect(failure).toMatchObject({ status: 400, code: "unknown_field", param: "top_k" });
		expect(vendor.requests.length).toBe(pending);
	});

	it("is any JSON object, and comes without the fence that some models put around it", async () => {
		vendor.enqueue(
			{ kind: "reply", text: '```json\n{"a":1}\n```' },
			{ kind: "reply", text: '```json\n{"a":1}\n```' },
		);
		const response_format = { type: "json_object" as const };
		const { choices } = await client.chat.completions.create({ ...ask, response_format });
		expect(choices[0]?.message.content).toBe('{"a":1}');
		expect(lastBody()).toMatchObject({ response_format });
		const stream = client.chat.completions.stream({ ...ask, response_format });
		expect(await stream.finalContent()).toBe('{"a":1}');
	});

	it("is held against what the model did", async () => {
		vendor.enqueue({ kind: "reply", text: "Noon." }, { kind: "reply", text: "Noon." });
		const unchosen = client.chat.completions.create({ ...ask, tools, tool_choice: "required" });
		expect(await failureOf(unchosen)).toMatchObject({
			status: 502,
			code: "tool_choice_not_followed",
			type: "server_error",
			error: { details: { receipt: [{ stage: "answer", payer: "deployment" }] } },
		});
		const stream = await client.chat.completions.create({
			...ask,
			response_format: { type: "json_object" },
			stream: true,
		});
		const reading = (async () => {
			for await (const _ of stream);
		})();
		expect(await failureOf(reading)).toMatchObject({ code: "output_invalid", type: "server_error" });
	});

	const strictly = (schema: Record<string, unknown>) => ({
		type: "json_schema" as const,
		json_schema: { name: "answer", strict: true, schema },
	});

	it("is checked without blocking other callers, however long the check takes", async () => {
		// At each level of the reply, two alternatives that look at everything below it.
		const tree = { $ref: "#/$defs/tree" };
		const list = { type: "array", items: tree };
		const $defs = { tree: { anyOf: [{ const: "leaf" }, list, { ...list, minItems: 1 }] } };
		vendor.enqueue({ kind: "reply", text: `${"[".repeat(100)}1${"]".repeat(100)}` });
		const response_format = strictly({ ...tree, $defs });
		let isRunning = true;
		const hostile = failureOf(client.chat.completions.create({ ...ask, response_format })).finally(() => {
			isRunning = false;
		});
		const pending = vendor.requests.length;
		let answered = 0;
		while (isRunning) {
			// There is a limit of requests per minute.
			await wait(20);
			await client.models.list();
			if (isRunning && vendor.requests.length > pending) answered++;
		}
		expect(answered).toBeGreaterThan(0);
		expect(await hostile).toMatchObject({
			status: 502,
			code: "output_invalid",
			message: expect.stringContaining("could not be checked"),
		});
	});

	it("is refused before the vendor is called where its schema cannot be used", async () => {
		const pending = vendor.requests.length;
		const dead = { $ref: "#/$defs/missing" };
		const inFormat = client.chat.completions.create({ ...ask, response_format: strictly(dead) });
		expect(await failureOf(inFormat)).toMatchObject({ status: 400, param: "response_format" });
		const strict = { type: "function" as const, function: { name: "map", parameters: dead, strict: true } };
		const inTools = client.chat.completions.create({ ...ask, tools: [strict] });
		expect(await failureOf(inTools)).toMatchObject({ status: 400, param: "tools" });
		expect(vendor.requests.length).toBe(pending);
	});

	it("fits a pattern that is legal without the flag `u` alone", async () => {
		vendor.enqueue({ kind: "reply", text: '"555-1234"' });
		const response_format = strictly({ type: "string", pattern: "^\\d{3}\\-\\d{4}$" });
		const { choices } = await client.chat.completions.create({ ...ask, response_format });
		expect(choices[0]?.message.content).toBe('"555-1234"');
	});

	it.each([true, false])("may be functions, which came before tools, streamed: %s", async (isStreamed) => {
		vendor.enqueue({ kind: "reply", toolCalls: [{ name: "clock", arguments: { zone: "UTC" } }] });
		const pending = {
			...ask,
			functions: [{ name: "clock", parameters: { type: "object" } }],
			function_call: { name: "clock" },
		};
		const { choices } = isStreamed
			? await client.chat.completions.stream(pending).finalChatCompletion()
			: await client.chat.completions.create(pending);
		expect(choices).toMatchObject([
			{
				finish_reason: "function_call",
				message: { function_call: { name: "clock", arguments: '{"zone":"UTC"}' } },
			},
		]);
		expect(lastBody()).toMatchObject({
			tool_choice: { function: { name: "clock" } },
			parallel_tool_calls: false,
		});
	});

	it("is refused where the model calls two functions, for which the old form has no room", async () => {
		const call = { name: "clock", arguments: {} };
		vendor.enqueue({ kind: "reply", toolCalls: [call, call] });
		const functions = [{ name: "clock", parameters: { type: "object" } }];
		expect(await failureOf(client.chat.completions.create({ ...ask, functions }))).toMatchObject({
			status: 502,
			code: "tool_choice_not_followed",
		});
	});
});

describe("errors have OpenAI's type", () => {
	const ask = { model: "default", messages };
	const create = (fields: object = {}, apiKey?: string) =>
		(apiKey === undefined ? client : client.withOptions({ apiKey })).chat.completions
			.create({ ...ask, ...fields } as OpenAI.ChatCompletionCreateParamsNonStreaming)
			.then(
				() => undefined,
				(error: unknown) => error,
			);

	it("for whoever may not ask", async () => {
		expect(await create({}, "nobody")).toMatchObject({ status: 401, type: "authentication_error" });
		const { body } = await service.send("/v1/client-keys", { json: { name: "page", native: true } });
		expect(await create({}, body.client_key)).toMatchObject({ status: 403, type: "permission_error" });
	});

	it("for what is not there, what is wrong and what fails", async () => {
		const missing = await client.models.retrieve("gpt-9").catch((error: unknown) => error);
		expect(missing).toBeInstanceOf(OpenAI.NotFoundError);
		expect(missing).toMatchObject({ code: "model_not_found", type: "not_found_error" });
		expect(await create({ model: "gpt-9" })).toMatchObject({ status: 422, type: "invalid_request_error" });
		expect(await create({ n: 2 })).toMatchObject({
			code: "unsupported_parameter",
			param: "n",
			type: "invalid_request_error",
		});
		vendor.enqueue({ kind: "failure", status: 429, code: "insufficient_quota" });
		expect(await create()).toMatchObject({ status: 429, code: "quota", type: "rate_limit_error" });
		vendor.enqueue({ kind: "failure", status: 401, message: "No." });
		expect(await create()).toMatchObject({ status: 502, type: "server_error" });
		expect((await service.send("/v1/agents/nobody")).body.error).not.toHaveProperty("type");
	});

	it.each([
		{ status: 400, code: "context_length_exceeded", message: "Too long." },
		{
			status: 400,
			message: "This model's maximum context length is 4096 tokens. However, you requested 5000.",
		},
		{ status: 413, message: "" },
	])("for a request that is too long: %j", async (failure) => {
		vendor.enqueue({ kind: "failure", ...failure });
		const error = await create();
		expect(error).toBeInstanceOf(OpenAI.BadRequestError);
		expect(error).toMatchObject({
			code: "context_length_exceeded",
			type: "invalid_request_error",
			param: "messages",
		});
	});
});

it("shows one model, and to a client key the default alone", async () => {
	expect(await client.models.retrieve("gpt-test")).toMatchObject({
		id: "gpt-test",
		object: "model",
		stemma: { payer: "deployment" },
	});
	const { body } = await service.send("/v1/client-keys", {
		json: { name: "page", native: true, models: true },
	});
	const page = client.withOptions({ apiKey: body.client_key });
	expect(await page.models.retrieve("default")).toMatchObject({ id: "default" });
	await expect(page.models.retrieve("gpt-test")).rejects.toMatchObject({ status: 404 });
});

it("hands on what the model thought, whole and streamed", async () => {
	vendor.enqueue({ kind: "reply", text: "Noon.", reasoning: "Hm." });
	const { choices } = await client.chat.completions.create({ model: "default", messages });
	expect(choices[0]?.message).toMatchObject({ content: "Noon.", reasoning_content: "Hm." });
});
