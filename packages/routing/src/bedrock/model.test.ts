import type { ChatEvent, ChatModel, ChatRequest } from "@stemma/core";
import type { Behaviour, StreamFault } from "@stemma/simulators/bedrock";
import {
	type BedrockSimulator,
	type BedrockSimulatorOptions,
	startBedrockSimulator,
} from "@stemma/simulators/bedrock";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ProviderError } from "../provider-error";
import { collect } from "../test-support/chat-model-contract";
import { createBedrockModel } from "./create";
import { parseBedrockCredential } from "./credential/credential";

const PERMANENT = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
const TEMPORARY = {
	accessKeyId: "ASIAEXAMPLE",
	secretAccessKey: "another/secret+1",
	sessionToken: "IQoJ/b3+==",
};
const EXPIRED = { ...TEMPORARY, accessKeyId: "ASIAEXPIRED", isExpired: true };
const BEARER = "bedrock-api-key-0123456789";
const MODEL = "eu.anthropic.claude-sonnet-4-5-20250929-v1:0";
const KEYS = "AKIDEXAMPLE:wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY:eu-central-1";
const TEXT = "A late return costs 12 euro 💶.";
const REPLY: Behaviour = {
	kind: "reply",
	text: TEXT,
	usage: { inputTokens: 9, outputTokens: 7, cacheReadInputTokens: 4, cacheWriteInputTokens: 2 },
};
const USAGE = { inputTokens: 15, outputTokens: 7, cachedTokens: 4 };
const ASK: ChatRequest = { messages: [{ role: "user", content: "What does it cost?" }] };

let simulator: BedrockSimulator;
const start = async (options: Partial<BedrockSimulatorOptions> = {}): Promise<void> => {
	simulator = await startBedrockSimulator({
		region: "eu-central-1",
		credentials: [PERMANENT, TEMPORARY, EXPIRED],
		bearerKeys: [BEARER],
		behaviour: () => REPLY,
		...options,
	});
};
const restart = async (options: Partial<BedrockSimulatorOptions>): Promise<void> => {
	await simulator.close();
	await start(options);
};
beforeEach(async () => {
	await start();
	// Retries without a wish of the vendor come at once.
	vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(async () => {
	vi.restoreAllMocks();
	vi.unstubAllGlobals();
	await simulator.close();
});

interface ModelOptions {
	readonly model?: string;
	readonly apiKey?: string;
	readonly headers?: Record<string, string>;
	readonly maxRetries?: number;
	readonly timeouts?: { headersTimeoutMs?: number; idleTimeoutMs?: number };
	readonly fetch?: typeof fetch;
}
const toModel = ({ apiKey = KEYS, ...options }: ModelOptions = {}): ChatModel => {
	const credential = parseBedrockCredential(apiKey);
	return createBedrockModel({ baseUrl: simulator.baseUrl, model: MODEL, credential, ...options });
};
const streamOf = (model: ChatModel, request = ASK): Promise<ChatEvent[]> => collect(model.stream(request));
const failure = (status: number, rest: object = {}): Behaviour => ({ kind: "failure", status, ...rest });
const rejectionsOf = (): unknown[] => simulator.requests.map(({ rejection }) => rejection?.type);

async function failureOf(promise: Promise<unknown>): Promise<ProviderError> {
	const error = await promise.then(
		() => new Error("It did not fail."),
		(caught: unknown) => caught,
	);
	if (!ProviderError.is(error)) throw error;
	return error;
}

describe("a strict vendor takes", () => {
	it.each([
		["AWS keys", KEYS],
		["temporary AWS keys", "ASIAEXAMPLE:another/secret+1:eu-central-1:IQoJ/b3+=="],
		["an API key", BEARER],
	])("%s, whole and streamed", async (_, apiKey) => {
		const model = toModel({ apiKey });
		const reply = { text: TEXT, toolCalls: [], finishReason: "stop", usage: USAGE, attempts: 1 };
		expect(await model.generate(ASK)).toEqual(reply);
		expect((await streamOf(model)).at(-1)).toEqual({ type: "finish", reply });
		expect(simulator.requests.map(({ operation }) => operation)).toEqual([
			{ name: "converse", modelId: MODEL },
			{ name: "converse-stream", modelId: MODEL },
		]);
	});

	it.each([
		"amazon.nova-lite-v1:0",
		"arn:aws:bedrock:eu-central-1:123456789012:application-inference-profile/abc123",
		"arn:aws:bedrock:eu-central-1:123456789012:inference-profile/eu.amazon.nova-lite-v1:0",
	])("any id as one segment of the path, signed: %s", async (model) => {
		expect((await toModel({ model }).generate(ASK)).text).toBe(TEXT);
		expect(simulator.requests).toMatchObject([
			{ path: `/model/${encodeURIComponent(model)}/converse`, operation: { modelId: model } },
		]);
	});

	it("headers of one's own, those of AWS's signed too", async () => {
		const headers = { "X-Amz-Trace": "  a   b ", "x-proxy": "c" };
		await toModel({ headers }).generate(ASK);
		const sent = simulator.requests[0]?.headers;
		expect(sent).toMatchObject({ "x-proxy": "c", "content-type": "application/json" });
		expect(sent?.authorization).toMatch(
			/SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;x-amz-trace,/,
		);
		expect(sent?.["x-amz-content-sha256"]).toMatch(/^[\da-f]{64}$/);
	});

	it("everything that can be asked for, with calls and their answers", async () => {
		const tools = ["faq", "fees & fines"].map(
			(name) => ({ name, kind: "knowledge", description: " ", parameters: { type: "object" } }) as const,
		);
		simulator.enqueue({
			kind: "reply",
			text: "Let me look.",
			reasoning: { text: "Hm.", signature: "abc" },
			toolCalls: [
				{ id: "tooluse_a", name: "faq", input: { input: "cost" } },
				{ id: "tooluse_b", name: "fees_fines", input: '{"a": ' },
				{ id: "tooluse_c", name: "faq", input: {} },
			],
		});
		const everything: ChatRequest = {
			...ASK,
			system: "Be kind.",
			tools,
			temperature: 1.5,
			maxOutputTokens: 99,
			outputSchema: { type: "object", properties: { a: { type: "string" } }, additionalProperties: false },
			origin: { runId: "run_1", node: "desk", depth: 0 },
		};
		const events = await streamOf(toModel(), everything);
		const { reply } = events.at(-1) as ChatEvent & { type: "finish" };
		expect(events[0]).toEqual({ type: "reasoning.delta", text: "Hm." });
		expect(reply).toMatchObject({
			text: "Let me look.",
			finishReason: "tool_calls",
			toolCalls: [
				{ id: "tooluse_a", name: "faq", arguments: '{"input":"cost"}' },
				{ id: "tooluse_b", name: "fees & fines", arguments: '{"a": ' },
				{ id: "tooluse_c", name: "faq", arguments: "{}" },
			],
		});
		const answers = reply.toolCalls.map(
			({ id, name }, index) =>
				({
					role: "tool",
					callId: id,
					name,
					content: index === 0 ? "" : "12 euro",
					isError: index === 0,
				}) as const,
		);
		const { text, toolCalls } = reply;
		const messages = [
			...ASK.messages,
			{ role: "assistant", content: `${text}\n`, toolCalls } as const,
			...answers,
			{ role: "user", content: "So?" } as const,
			{ role: "user", content: " " } as const,
		];
		for (const request of [
			{ ...everything, messages },
			{ ...everything, messages, toolChoice: "none" as const },
			{ messages },
		])
			expect((await toModel().generate(request)).text).toBe(TEXT);
		expect(rejectionsOf()).toEqual([undefined, undefined, undefined, undefined]);
	});

	it("a word that no tool may be called; calls that are made nevertheless are handed on", async () => {
		const tools = [{ name: "faq", parameters: {} }];
		const calling = { kind: "reply", toolCalls: [{ id: "a", name: "faq", input: {} }] } as const;
		const reply = {
			text: "",
			toolCalls: [{ id: "a", name: "faq", arguments: "{}" }],
			finishReason: "tool_calls",
		};
		for (const request of [{ ...ASK, tools, toolChoice: "none" as const }, ASK]) {
			simulator.enqueue(calling, calling);
			expect(await toModel().generate(request)).toMatchObject(reply);
			expect((await streamOf(toModel(), request)).at(-1)).toMatchObject({ type: "finish", reply });
		}
		expect(simulator.requests[0]?.body).toMatchObject({
			toolConfig: { tools: [{ toolSpec: { name: "faq" } }] },
			system: [{ text: expect.stringContaining("Call no tool") }],
		});
	});

	it("streams one after the other on one connection", async () => {
		const model = toModel();
		// Where the next one comes before this side has seen the end, it opens another.
		for (let round = 1; round <= 60 && simulator.connections === simulator.requests.length; round++) {
			await streamOf(model);
			await expect.poll(() => simulator.requests.at(-1)?.isAnswered).toBe(true);
		}
		expect(simulator.connections).toBeLessThan(simulator.requests.length);
		expect(simulator.requests.filter(({ isAborted }) => isAborted)).toEqual([]);
	});
});

it.each([1, 7, 1000])("reads a stream in chunks of %i bytes", async (chunkBytes) => {
	simulator.enqueue({ kind: "reply", text: TEXT, reasoning: "Hm.", chunkBytes });
	const events = await streamOf(toModel());
	const text = events.map((event) => (event.type === "text.delta" ? event.text : "")).join("");
	expect(text).toBe(TEXT);
});

describe("tries again", () => {
	it.each([429, 500, 503])("after status %i, signed anew", async (status) => {
		let now = Date.now();
		vi.spyOn(Date, "now").mockImplementation(() => {
			now += 1000;
			return now;
		});
		simulator.enqueue(failure(status), failure(status));
		expect((await toModel().generate(ASK)).attempts).toBe(3);
		expect(new Set(simulator.requests.map(({ headers }) => headers.authorization)).size).toBe(3);
		simulator.enqueue(failure(status));
		expect((await streamOf(toModel())).at(-1)).toMatchObject({ reply: { text: TEXT, attempts: 2 } });
	});

	it.each([
		["ModelNotReadyException", failure(429, { type: "ModelNotReadyException" })],
		["an overloaded model", failure(424, { members: { originalStatusCode: 503 } })],
		["a throttled model", failure(424, { members: { originalStatusCode: 429 } })],
		["a model that failed", failure(424)],
	])("after %s", async (_, behaviour) => {
		simulator.enqueue(behaviour);
		expect((await toModel().generate(ASK)).attempts).toBe(2);
	});

	it.each([
		["overloaded", failure(503)],
		["rate_limited", failure(429)],
	])("as often as it may, and no more: %s", async (code, behaviour) => {
		simulator.enqueue(behaviour, behaviour, behaviour);
		expect(await failureOf(toModel().generate(ASK))).toMatchObject({ code, attempts: 3 });
		simulator.enqueue(behaviour);
		await failureOf(toModel({ maxRetries: 0 }).generate(ASK));
		expect(simulator.requests.length).toBe(4);
	});

	it.each([
		["bad_request", failure(424, { members: { originalStatusCode: 400 } })],
		["quota", failure(400, { type: "ServiceQuotaExceededException" })],
		["quota", failure(429, { message: "Too many tokens per day, please wait before trying again." })],
		["permission", failure(403)],
	])("not after what stays: %s", async (code, behaviour) => {
		simulator.enqueue(behaviour);
		expect(await failureOf(streamOf(toModel()))).toMatchObject({ code, attempts: 1 });
	});
});

describe("a field that the model does not take", () => {
	const enqueueError = (message: string): Behaviour => failure(400, { message });
	const tools = [{ name: "faq", parameters: { type: "object" } }];
	const outputSchema = {
		type: "object",
		properties: { a: { type: "string" } },
		additionalProperties: false,
	} as const;

	it.each([
		[
			"inferenceConfig.temperature",
			{ temperature: 0.5 },
			"The model returned the following errors: `temperature` is deprecated for this model.",
		],
		[
			"inferenceConfig.temperature",
			{ temperature: 0.5, maxOutputTokens: 9 },
			"This model doesn't support the temperature field. Remove temperature and try again.",
		],
		[
			"outputConfig",
			{ outputSchema },
			"The model returned the following errors: output_config.format: Extra inputs are not permitted",
		],
		["outputConfig", { outputSchema }, "This model doesn't support the outputConfig.textFormat field."],
		[
			"system",
			{ system: "Be kind." },
			"This model doesn't support the system field. Remove system and try again.",
		],
	])("is left out and not sent again: %s %#", async (path, request, message) => {
		const has = (body: unknown): boolean => {
			const found = path
				.split(".")
				.reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], body);
			return found !== undefined;
		};
		simulator.enqueue(enqueueError(message));
		const model = toModel();
		expect((await model.generate({ ...ASK, ...request })).attempts).toBe(2);
		await model.generate({ ...ASK, ...request });
		expect(simulator.requests.map(({ body }) => has(body))).toEqual([true, false, false]);
	});

	it("goes into the words instead: the system text, the output schema", async () => {
		simulator.enqueue(
			enqueueError("This model doesn't support the system field. Remove system and try again."),
			enqueueError("output_config.format: Extra inputs are not permitted"),
		);
		await toModel().generate({ ...ASK, system: "Be kind.", outputSchema });
		const body = simulator.requests[2]?.body;
		expect(body).not.toHaveProperty("system");
		expect(body?.messages).toEqual([
			{
				role: "user",
				content: [
					{ text: "Be kind." },
					{ text: expect.stringContaining(JSON.stringify(outputSchema)) },
					{ text: "What does it cost?" },
				],
			},
		]);
	});

	it("tools in a stream: what is asked for comes at once", async () => {
		simulator.enqueue(enqueueError("This model doesn't support tool use in streaming mode."));
		const model = toModel();
		for (const attempts of [2, 1])
			expect(await streamOf(model, { ...ASK, tools })).toEqual([
				{ type: "text.delta", text: TEXT },
				{ type: "finish", reply: expect.objectContaining({ text: TEXT, attempts }) },
			]);
		await streamOf(model);
		expect(simulator.requests.map(({ operation }) => operation?.name)).toEqual([
			"converse-stream",
			"converse",
			"converse",
			"converse-stream",
		]);
	});

	it("the mark of a failed call", async () => {
		simulator.enqueue(
			enqueueError("This model doesn't support the status field. Remove status and try again."),
		);
		const messages = [
			...ASK.messages,
			{ role: "assistant", content: "", toolCalls: [{ id: "a", name: "faq", arguments: "{}" }] },
			{ role: "tool", callId: "a", name: "faq", content: "No.", isError: true },
		] as const;
		await toModel().generate({ messages, tools });
		const results = simulator.requests.map(({ body }) => body?.messages[2]?.content[0]?.toolResult);
		expect(results).toEqual([
			{ toolUseId: "a", content: [{ text: "No." }], status: "error" },
			{ toolUseId: "a", content: [{ text: "No." }] },
		]);
	});

	it("is left out once: another refusal is an error", async () => {
		const message = "`temperature` is deprecated for this model.";
		simulator.enqueue(enqueueError(message), enqueueError(message));
		const error = await failureOf(toModel().generate({ ...ASK, temperature: 0.5 }));
		expect(error).toMatchObject({ code: "bad_request", field: "inferenceConfig.temperature", attempts: 2 });
	});
});

describe("a wrong clock", () => {
	it.each([
		["slow", 3_600_000],
		["fast", -3_600_000],
	])("that is %s is set right by the vendor's, once for all calls", async (_, offsetMs) => {
		await restart({ now: () => new Date(Date.now() + offsetMs) });
		const model = toModel();
		expect((await model.generate(ASK)).attempts).toBe(2);
		expect((await model.generate(ASK)).attempts).toBe(1);
		expect((await streamOf(model)).at(-1)).toMatchObject({ reply: { attempts: 1 } });
		expect(rejectionsOf()).toEqual(["InvalidSignatureException", undefined, undefined, undefined]);
	});

	it("is an error where the vendor's does not hold either", async () => {
		let calls = 0;
		await restart({ now: () => new Date(Date.now() + ++calls * 3_600_000) });
		const error = await failureOf(toModel({ maxRetries: 0 }).generate(ASK));
		expect(error).toMatchObject({ code: "clock_skew", attempts: 2, status: 403 });
		expect(error.hint).toContain("clock");
	});
});

describe("fails", () => {
	it.each([
		["invalid_credential", "AKIDEXAMPLE:wrong-secret-98765:eu-central-1", /secret in `credential`/],
		["invalid_credential", "AKIDUNKNOWN:wrong-secret-98765:eu-central-1", /`credential`/],
		["invalid_credential", "ASIAEXAMPLE:another/secret+1:eu-central-1:wrong-token-98765", /session token/],
		["expired_credential", "ASIAEXPIRED:another/secret+1:eu-central-1:IQoJ/b3+==", /`credential`/],
		["wrong_region", KEYS.replace("eu-central-1", "eu-west-1"), /`baseUrl`/],
		["invalid_credential", "wrong-key-98765", /`credential`/],
	])("without a word of the credential: %s %#", async (code, apiKey, hint) => {
		const error = await failureOf(toModel({ apiKey }).generate(ASK));
		expect(error).toMatchObject({ code, status: 403, attempts: 1 });
		expect(error.hint).toMatch(hint);
		expect(`${JSON.stringify(error)}${error.stack}${error.cause}`).not.toMatch(/98765|AKID|ASIAE|IQoJ/);
	});

	it.each([
		["model_not_enabled", "eu.amazon.nova-pro-v1:0", /`model`|console/],
		["model_not_found", "eu.amazon.nova-none-v1:0", /`model`.*`baseUrl`/],
		["needs_inference_profile", "amazon.nova-premier-v1:0", /`eu\.amazon\.nova-premier-v1:0`/],
	])("with a model that cannot be called so: %s", async (code, model, hint) => {
		await restart({
			models: {
				enabled: [MODEL],
				notEnabled: ["eu.amazon.nova-pro-v1:0"],
				profileOnly: ["amazon.nova-premier-v1:0"],
			},
		});
		const error = await failureOf(toModel({ model }).generate(ASK));
		expect(error.code).toBe(code);
		expect(error.hint).toMatch(hint);
	});

	it.each([
		["stream_truncated", { kind: "cut" }],
		["stream_truncated", { kind: "truncate" }],
		["stream_truncated", { kind: "end" }],
		["timeout", { kind: "stall" }],
		["bad_response", { kind: "corrupt" }],
		["bad_response", { kind: "corrupt-prelude" }],
		["bad_response", { kind: "claim", bytes: 30 * 1024 * 1024 }],
		["rate_limited", { kind: "exception", exception: "throttlingException" }],
		["overloaded", { kind: "exception", exception: "internalServerException" }],
		["overloaded", { kind: "exception", exception: "serviceUnavailableException" }],
		["overloaded", { kind: "exception", exception: "modelStreamErrorException", originalStatusCode: 500 }],
		["bad_request", { kind: "exception", exception: "validationException", message: "No." }],
		["overloaded", { kind: "error", code: "InternalFailure" }],
	] as const)("when a stream breaks, and is not tried again: %s %j", async (code, fault) => {
		simulator.enqueue({ kind: "reply", text: TEXT, fault: { after: 3, ...fault } as StreamFault });
		const deltas: string[] = [];
		const read = async (): Promise<void> => {
			for await (const event of toModel({ timeouts: { idleTimeoutMs: 600 } }).stream(ASK))
				deltas.push(event.type === "text.delta" ? event.text : event.type);
		};
		expect((await failureOf(read())).code).toBe(code);
		expect(deltas.join("")).toBe(TEXT.slice(0, 14));
		expect(simulator.requests.length).toBe(1);
	});

	it.each([
		["the connection breaks", { kind: "cut" }],
		["the body ends in its middle", { kind: "truncate" }],
		["it never comes", { kind: "skip" }],
		["it is not there in time", { kind: "stall", after: 8 }],
	] as const)("not when the usage alone is lost: %s", async (_, fault) => {
		simulator.enqueue({ kind: "reply", text: TEXT, fault });
		const [finish] = (await streamOf(toModel({ timeouts: { idleTimeoutMs: 600 } }))).slice(-1);
		expect(finish).toEqual({
			type: "finish",
			reply: { text: TEXT, toolCalls: [], finishReason: "stop", attempts: 1 },
		});
	});

	it.each([
		["a page", { headers: { "content-type": "text/html" }, body: "<html>" }],
		["JSON of another kind", { body: '{"Output":{"__type":"x#UnknownOperationException"}}' }],
		[
			"a message without an end",
			{ body: '{"output":{"message":{"role":"assistant","content":[{"text":"x"}]}}}' },
		],
		["half a JSON", { body: '{"output":{"message"' }],
		[
			"no event stream",
			{ headers: { "content-type": "application/octet-stream" }, body: "data: x\n\n".repeat(9) },
		],
		["nothing", { body: "" }],
	])("with what does not speak Converse: %s", async (_, answer) => {
		for (const call of [() => toModel().generate(ASK), () => streamOf(toModel())]) {
			simulator.enqueue({ kind: "raw", ...answer });
			const error = await failureOf(call());
			expect(error.code).toBe("bad_response");
			expect(error.hint).toContain("`baseUrl`");
		}
	});

	it("when nothing answers in time, and hangs up", async () => {
		simulator.enqueue({ kind: "silence" });
		const error = await failureOf(streamOf(toModel({ timeouts: { headersTimeoutMs: 600 } })));
		expect(error.code).toBe("timeout");
		await expect.poll(() => simulator.requests).toMatchObject([{ isAborted: true }]);
	});
});

it.each([
	["guardrail_intervened", "filtered"],
	["content_filtered", "filtered"],
	["max_tokens", "length"],
	["model_context_window_exceeded", "length"],
	["stop_sequence", "stop"],
	["a_new_reason", "other"],
])("says why a reply ended: %s is %s", async (stopReason, finishReason) => {
	simulator.enqueue({ kind: "reply", text: TEXT, stopReason }, { kind: "reply", text: TEXT, stopReason });
	expect((await toModel().generate(ASK)).finishReason).toBe(finishReason);
	expect((await streamOf(toModel())).at(-1)).toMatchObject({ reply: { finishReason } });
});

it.each(["malformed_model_output", "malformed_tool_use"])("takes no %s for a reply", async (stopReason) => {
	simulator.enqueue({ kind: "reply", text: TEXT, stopReason }, { kind: "reply", text: TEXT, stopReason });
	for (const call of [() => toModel().generate(ASK), () => streamOf(toModel())])
		expect(await failureOf(call())).toMatchObject({
			code: "bad_response",
			hint: expect.stringContaining("`model`"),
			usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
		});
});

describe("ends at once", () => {
	const aborted = () => expect.poll(() => simulator.requests.at(-1)?.isAborted).toBe(true);
	const STALLED: Behaviour = { kind: "reply", text: TEXT, fault: { kind: "stall", after: 3 } };

	it.each(["generate", "stream"] as const)("when aborted before an answer: %s", async (method) => {
		simulator.enqueue({ kind: "silence" });
		const controller = new AbortController();
		const { signal } = controller;
		const call =
			method === "generate"
				? toModel().generate(ASK, { signal })
				: collect(toModel().stream(ASK, { signal }));
		await expect.poll(() => simulator.requests.length).toBe(1);
		controller.abort(new Error("Not wanted."));
		await expect(call).rejects.toBe(signal.reason);
		await aborted();
	});

	it("when aborted while nobody reads", async () => {
		simulator.enqueue(STALLED);
		const controller = new AbortController();
		const events = toModel().stream(ASK, { signal: controller.signal })[Symbol.asyncIterator]();
		await events.next();
		controller.abort("enough");
		await aborted();
		await expect(events.next()).rejects.toBe("enough");
	});

	it("when its reader leaves", async () => {
		simulator.enqueue(STALLED);
		for await (const _ of toModel().stream(ASK)) break;
		await aborted();
	});
});

const bodiless = async (...[url, init]: Parameters<typeof fetch>): Promise<Response> => {
	const response = await fetch(url, init);
	const { status, headers, ok, type, redirected } = response;
	const read = { arrayBuffer: () => response.arrayBuffer(), text: () => response.text() };
	return { status, headers, ok, type, redirected, body: null, ...read } as Response;
};

it("works where the platform streams no bodies", async () => {
	const model = toModel({ fetch: bodiless, apiKey: BEARER });
	expect((await streamOf(model)).at(-1)).toMatchObject({ reply: { text: TEXT, usage: USAGE } });
	expect((await model.generate(ASK)).text).toBe(TEXT);
	simulator.enqueue(failure(429));
	expect((await model.generate(ASK)).attempts).toBe(2);
});

it("asks for all at once where the platform decodes no bytes", async () => {
	vi.stubGlobal("TextDecoder", undefined);
	const model = toModel({ fetch: bodiless, apiKey: BEARER });
	expect((await streamOf(model)).at(-1)).toMatchObject({ reply: { text: TEXT, usage: USAGE } });
	expect(simulator.requests).toMatchObject([{ operation: { name: "converse" } }]);
});
