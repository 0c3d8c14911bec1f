import { createOpenAICompatible, type OpenAICompatibleProviderSettings } from "@ai-sdk/openai-compatible";
import type { ChatEvent, ChatModel, ChatRequest } from "@stemma/core";
import { StemmaError } from "@stemma/core/errors";
import type { Behaviour } from "@stemma/simulators/openai";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ProviderError } from "../provider-error";
import { collect } from "../test-support/chat-model-contract";
import { fromAiSdk } from "./from-ai-sdk";

const KEY = "sk-test-0123456789";
const TEXT = "A late return costs 12 euro.";
const REPLY: Behaviour = {
	kind: "reply",
	text: TEXT,
	usage: { inputTokens: 9, outputTokens: 7, cachedTokens: 2 },
};
const WHOLE = {
	text: TEXT,
	toolCalls: [],
	finishReason: "stop",
	usage: { inputTokens: 9, outputTokens: 7, cachedTokens: 2 },
	attempts: 1,
};
const ASK: ChatRequest = { messages: [{ role: "user", content: "What does it cost?" }] };
const SCHEMA = {
	type: "object",
	properties: { a: { type: "string" } },
	required: ["a"],
	additionalProperties: false,
} as const;

let simulator: OpenAiSimulator;
beforeEach(async () => {
	simulator = await startOpenAiSimulator({ apiKey: KEY, models: ["gpt-test"], behaviour: () => REPLY });
});
afterEach(() => simulator.close());

function toModel(options: Partial<OpenAICompatibleProviderSettings> = {}, id = "gpt-test"): ChatModel {
	const settings = { name: "acme", baseURL: simulator.baseUrl, apiKey: KEY, includeUsage: true, ...options };
	return fromAiSdk(createOpenAICompatible(settings)(id));
}

async function failureOf(promise: Promise<unknown>): Promise<ProviderError> {
	const error = await promise.then(
		() => new Error("It did not fail."),
		(caught: unknown) => caught,
	);
	if (!ProviderError.is(error)) throw error;
	return error;
}

const streamOf = (model: ChatModel, request = ASK): Promise<ChatEvent[]> => collect(model.stream(request));
const failure = (status: number, rest: object = {}): Behaviour => ({ kind: "failure", status, ...rest });
const host = (): string => new URL(simulator.baseUrl).host;

it("says who answers, and where", () => {
	const { provider, model, vendorHost } = toModel();
	expect({ provider, model, vendorHost }).toEqual({
		provider: "ai-sdk",
		model: "gpt-test",
		vendorHost: host(),
	});
});

describe("a strict vendor takes", () => {
	it("a question", async () => {
		expect(await toModel().generate(ASK)).toEqual(WHOLE);
	});

	it("a question whose answer is streamed, and usage counts where it comes", async () => {
		simulator.enqueue({ ...REPLY, kind: "reply", reasoning: "Hm." });
		const events = await streamOf(toModel());
		expect(events[0]).toEqual({ type: "reasoning.delta", text: "Hm." });
		expect(events.filter(({ type }) => type === "text.delta")).toHaveLength(4);
		expect(events.at(-1)).toEqual({ type: "finish", reply: { ...WHOLE, reasoning: "Hm." } });
		const [silent] = (await streamOf(toModel({ includeUsage: false }))).slice(-1);
		expect(silent?.type === "finish" && "usage" in silent.reply).toBe(false);
	});

	it.each(["generate", "stream"] as const)(
		"calls, and their answers in the next turn: %s",
		async (method) => {
			const model = toModel();
			const ask = async (request: ChatRequest) => {
				if (method === "generate") return model.generate(request);
				const [finish] = (await collect(model.stream(request))).slice(-1);
				if (finish?.type !== "finish") throw new Error("No finish.");
				return finish.reply;
			};
			simulator.enqueue({
				kind: "reply",
				text: "Let me look.",
				toolCalls: [
					{ id: "call_a", name: "faq", arguments: { input: "cost" } },
					{ id: "call_b", name: "faq", arguments: "{" },
				],
			});
			const everything: ChatRequest = {
				...ASK,
				system: "Be kind.",
				tools: [{ name: "faq", description: "Answers.", kind: "knowledge", parameters: { type: "object" } }],
				temperature: 0.5,
				maxOutputTokens: 99,
				origin: { runId: "run_1", node: "desk", depth: 0 },
			};
			const { text, toolCalls, finishReason } = await ask(everything);
			expect({ text, toolCalls, finishReason }).toEqual({
				text: "Let me look.",
				toolCalls: [
					{ id: "call_a", name: "faq", arguments: '{"input":"cost"}' },
					{ id: "call_b", name: "faq", arguments: "{" },
				],
				finishReason: "tool_calls",
			});
			const messages: ChatRequest["messages"] = [
				...ASK.messages,
				{ role: "assistant", content: text, toolCalls },
				{ role: "tool", callId: "call_a", name: "faq", content: "12 euro" },
				{ role: "tool", callId: "call_b", name: "faq", content: "No JSON.", isError: true },
			];
			expect((await ask({ ...everything, messages, toolChoice: "none" })).text).toBe(TEXT);
			expect(simulator.requests.map(({ rejection }) => rejection)).toEqual([undefined, undefined]);
			expect(simulator.requests[1]?.body).toMatchObject({
				temperature: 0.5,
				max_tokens: 99,
				tool_choice: "none",
				tools: [{ function: { name: "faq", description: "Answers.", parameters: { type: "object" } } }],
				messages: [
					{ role: "system", content: "Be kind." },
					{ role: "user", content: "What does it cost?" },
					{ role: "assistant", content: "Let me look.", tool_calls: [{ id: "call_a" }, { id: "call_b" }] },
					{ role: "tool", tool_call_id: "call_a", content: "12 euro" },
					{ role: "tool", tool_call_id: "call_b", content: "No JSON." },
				],
			});
		},
	);

	it("settings, a choice of tools and the wish for JSON", async () => {
		const settings = { temperature: 0.5, topP: 0.5, seed: 7, stop: ["END"], presencePenalty: 1 };
		const tools = [{ name: "faq", parameters: { type: "object" }, strict: false }];
		const requestBody = { ...ASK, tools, output: {}, toolChoice: { name: "faq" } };
		await toModel().generate({ ...requestBody, settings: { ...settings, frequencyPenalty: 1 } });
		expect(simulator.requests.at(-1)?.body).toMatchObject({
			temperature: 0.5,
			top_p: 0.5,
			seed: 7,
			stop: ["END"],
			frequency_penalty: 1,
			presence_penalty: 1,
			tool_choice: { type: "function", function: { name: "faq" } },
			response_format: { type: "json_object" },
		});
		await toModel().generate({ ...ASK, tools, toolChoice: "required" });
		expect(simulator.requests.at(-1)?.body).toMatchObject({ tool_choice: "required" });
	});

	it.each([
		["logitBias", { logitBias: { 42: 1 } }],
		["reasoningEffort", { reasoningEffort: "low" }],
		["verbosity", { verbosity: "low" }],
		["parallelToolCalls", { parallelToolCalls: false }],
	])("no setting that the AI SDK has no option for: %s", async (field, settings) => {
		const before = simulator.requests.length;
		const failed = { code: "unsupported_parameter", field, attempts: 0 };
		await expect(toModel().generate({ ...ASK, settings })).rejects.toMatchObject(failed);
		await expect(streamOf(toModel(), { ...ASK, settings })).rejects.toMatchObject(failed);
		expect(simulator.requests.length).toBe(before);
	});

	it("no name of a message: the AI SDK has no field for it", async () => {
		const before = simulator.requests.length;
		const messages = [{ role: "user" as const, content: "Hi", name: "ada" }];
		const failed = { code: "unsupported_parameter", field: "messages.name", attempts: 0 };
		await expect(toModel().generate({ ...ASK, messages })).rejects.toMatchObject(failed);
		expect(simulator.requests.length).toBe(before);
	});

	it("a schema, where the model hands it on", async () => {
		await toModel({ supportsStructuredOutputs: true }).generate({ ...ASK, outputSchema: SCHEMA });
		expect(simulator.requests[0]?.body).toMatchObject({
			response_format: { type: "json_schema", json_schema: { name: "output", schema: SCHEMA } },
			messages: [{ role: "user" }],
		});
	});

	it.each([SCHEMA, { type: "array", items: { type: "string" } }])(
		"a schema in words, where the model does not, or no vendor would: %j",
		async (outputSchema) => {
			expect((await toModel().generate({ ...ASK, outputSchema })).text).toBe(TEXT);
			const [{ body } = {}] = simulator.requests;
			expect(JSON.stringify(body?.messages)).toContain("JSON Schema");
			expect(body).not.toHaveProperty("response_format.json_schema");
		},
	);
});

describe("fails", () => {
	it("without a word of the key, of the prompt, or of what the vendor said", async () => {
		const error = await failureOf(toModel({ apiKey: "sk-wrong-9876543210" }).generate(ASK));
		expect(error).toMatchObject({ code: "invalid_credential", status: 401, vendorHost: host(), attempts: 1 });
		expect(error.message).toBe(`${host()} does not accept the API key (status 401).`);
		expect(error.hint).toContain("`apiKey`");
		expect(error.cause).toBeUndefined();
		expect(`${JSON.stringify(error)}${error.stack}`).not.toMatch(/sk-wrong|3210|cost|Incorrect/);
	});

	it("once, and says how long to wait", async () => {
		simulator.enqueue(failure(429, { headers: { "retry-after": "120" } }));
		const error = await failureOf(streamOf(toModel()));
		expect(error).toMatchObject({ code: "rate_limited", status: 429, retryAfterMs: 120_000, attempts: 1 });
		expect(error.hint).toContain("in 120 s");
		expect(simulator.requests.length).toBe(1);
	});

	it.each([
		["overloaded", failure(500)],
		["quota", failure(429, { code: "insufficient_quota" })],
		["context_length", failure(400, { code: "context_length_exceeded" })],
		["bad_request", failure(400)],
		["bad_response", { kind: "raw", body: "<html>" }],
		["bad_response", { kind: "raw", body: "{}" }],
	] as const)("with a code: %s", async (code, behaviour) => {
		simulator.enqueue(behaviour);
		expect((await failureOf(toModel().generate(ASK))).code).toBe(code);
		expect(simulator.requests.length).toBe(1);
	});

	it("with a model that is not there", async () => {
		const { code, message } = await failureOf(toModel({}, "gpt-other").generate(ASK));
		expect([code, message]).toEqual(["model_not_found", expect.stringContaining('"gpt-other"')]);
	});

	it.each([
		["cut", "stream_truncated"],
		["end", "stream_truncated"],
		["error", "overloaded"],
	] as const)("when a stream breaks: %s", async (kind, code) => {
		simulator.enqueue({ kind: "reply", text: TEXT, fault: { kind, after: 3 } });
		const deltas: string[] = [];
		const read = async (): Promise<void> => {
			for await (const event of toModel().stream(ASK))
				deltas.push(event.type === "text.delta" ? event.text : event.type);
		};
		const error = await failureOf(read());
		expect([error.code, error.attempts]).toEqual([code, 1]);
		expect(deltas.join("")).toBe(TEXT.slice(0, 14));
	});

	it("when a stream is none", async () => {
		simulator.enqueue({ kind: "raw", headers: { "content-type": "text/event-stream" }, body: "data: {\n\n" });
		expect((await failureOf(streamOf(toModel()))).code).toBe("bad_response");
	});

	it("when a whole answer is cut off", async () => {
		const headers = { "content-type": "application/json", "content-length": "999" };
		const body = new ReadableStream({
			pull(controller) {
				controller.error(new TypeError("terminated"));
			},
		});
		const fetch = () => Promise.resolve(new Response(body, { headers }));
		expect((await failureOf(toModel({ fetch }).generate(ASK))).code).toBe("stream_truncated");
	});

	it("when nobody is there", async () => {
		await simulator.close();
		const { code, hint } = await failureOf(toModel().generate(ASK));
		expect([code, hint]).toEqual(["unreachable", expect.stringContaining("`baseURL`")]);
	});

	it.each([0, 1])("with what a fetch of one's own throws on purpose, wrapped %i times", async (wraps) => {
		const rejection = new StemmaError("Not there.", { code: "address_not_allowed" });
		const fetch = () =>
			Promise.reject(wraps === 0 ? rejection : new TypeError("fetch failed", { cause: rejection }));
		await expect(toModel({ fetch }).generate(ASK)).rejects.toBe(rejection);
	});
});

describe("ends at once", () => {
	const aborted = () => expect.poll(() => simulator.requests.at(-1)?.isAborted).toBe(true);

	it("without a call when aborted before", async () => {
		const options = { signal: AbortSignal.abort("not wanted") };
		await expect(toModel().generate(ASK, options)).rejects.toBe("not wanted");
		await expect(collect(toModel().stream(ASK, options))).rejects.toBe("not wanted");
		expect(simulator.requests.length).toBe(0);
	});

	it.each(["generate", "stream"] as const)("when aborted before an answer: %s", async (method) => {
		simulator.enqueue({ kind: "silence" });
		const { signal, ...controller } = toController();
		const model = toModel();
		const call =
			method === "generate" ? model.generate(ASK, { signal }) : collect(model.stream(ASK, { signal }));
		await expect.poll(() => simulator.requests.length).toBe(1);
		controller.abort(new Error("Not wanted."));
		await expect(call).rejects.toBe(signal.reason);
		await aborted();
	});

	it("when aborted in the middle, while nobody reads", async () => {
		simulator.enqueue({ kind: "reply", text: TEXT, fault: { kind: "stall", after: 3 } });
		const { signal, abort } = toController();
		const events = toModel().stream(ASK, { signal })[Symbol.asyncIterator]();
		await events.next();
		abort("enough");
		await aborted();
		await expect(events.next()).rejects.toBe("enough");
	});

	it("when its reader leaves", async () => {
		simulator.enqueue({ kind: "reply", text: TEXT, fault: { kind: "stall", after: 3 } });
		for await (const _ of toModel().stream(ASK)) break;
		await aborted();
	});

	it("and leaves no listener behind", async () => {
		const { signal } = new AbortController();
		const add = vi.spyOn(signal, "addEventListener");
		const remove = vi.spyOn(signal, "removeEventListener");
		await collect(toModel().stream(ASK, { signal }));
		await toModel().generate(ASK, { signal });
		await failureOf(collect(toModel({}, "gpt-other").stream(ASK, { signal })));
		for await (const _ of toModel().stream(ASK, { signal })) break;
		const removed = remove.mock.calls.map(([, listener]) => listener);
		expect(add).toHaveBeenCalledTimes(4);
		for (const [, listener] of add.mock.calls) expect(removed).toContain(listener);
	});
});

function toController() {
	const controller = new AbortController();
	return { signal: controller.signal, abort: (reason: unknown) => controller.abort(reason) };
}
