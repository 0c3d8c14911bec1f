import type { ChatEvent, ChatModel, ChatRequest } from "@stemma/core";
import { StemmaError } from "@stemma/core/errors";
import type { Behaviour } from "@stemma/simulators/openai";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ProviderError } from "../provider-error";
import { collect } from "../test-support/chat-model-contract";
import { createCapabilityCache } from "./capability-cache";
import { createOpenAiCompatibleModel } from "./create";
import type { OpenAiCompatibleOptions } from "./options";

const KEY = "sk-test-0123456789";
const TEXT = "A late return costs 12 euro.";
const REPLY: Behaviour = {
	kind: "reply",
	text: TEXT,
	usage: { inputTokens: 9, outputTokens: 7, cachedTokens: 2 },
};
const ASK: ChatRequest = { messages: [{ role: "user", content: "What does it cost?" }] };

let simulator: OpenAiSimulator;
beforeEach(async () => {
	simulator = await startOpenAiSimulator({ apiKey: KEY, models: ["gpt-test"], behaviour: () => REPLY });
	// Retries without a wish of the vendor come at once.
	vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(async () => {
	vi.useRealTimers();
	vi.restoreAllMocks();
	await simulator.close();
});

const toModel = (options: Partial<OpenAiCompatibleOptions> = {}): ChatModel =>
	createOpenAiCompatibleModel({
		baseUrl: simulator.baseUrl,
		model: "gpt-test",
		apiKey: KEY,
		// Ports come back.
		capabilityCache: createCapabilityCache(),
		...options,
	});

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

describe("a strict vendor takes", () => {
	it("a question", async () => {
		expect(await toModel().generate(ASK)).toEqual({
			text: TEXT,
			toolCalls: [],
			finishReason: "stop",
			usage: { inputTokens: 9, outputTokens: 7, cachedTokens: 2 },
			attempts: 1,
			responseId: expect.stringMatching(/^chatcmpl-/),
			responseModel: expect.any(String),
		});
		expect(simulator.requests).toMatchObject([{ isAborted: false, headers: { accept: "application/json" } }]);
	});

	it("everything that can be asked for, with calls and their answers", async () => {
		const tools = [{ name: "faq", kind: "knowledge", parameters: { type: "object" } }] as const;
		simulator.enqueue({
			kind: "reply",
			text: "Let me look.",
			reasoning: "Hm.",
			toolCalls: [
				{ name: "faq", arguments: { input: "cost" } },
				{ name: "faq", arguments: "{" },
			],
		});
		const everything: ChatRequest = {
			...ASK,
			system: "Be kind.",
			tools,
			temperature: 0.5,
			maxOutputTokens: 99,
			outputSchema: { type: "object", properties: { a: { type: "string" } } },
			origin: { runId: "run_1", node: "desk", depth: 0 },
		};
		const events = await streamOf(toModel(), everything);
		const { reply } = events.at(-1) as ChatEvent & { type: "finish" };
		expect(reply).toMatchObject({
			text: "Let me look.",
			finishReason: "tool_calls",
			usage: expect.any(Object),
			toolCalls: [
				{ name: "faq", arguments: '{"input":"cost"}' },
				{ name: "faq", arguments: "{" },
			],
		});
		expect(events[0]).toEqual({ type: "reasoning.delta", text: "Hm." });
		const answers = reply.toolCalls.map(
			({ id, name }) => ({ role: "tool", callId: id, name, content: "12 euro" }) as const,
		);
		const { text, toolCalls } = reply;
		const messages = [...ASK.messages, { role: "assistant", content: text, toolCalls } as const, ...answers];
		const next = await toModel().generate({ ...everything, messages, toolChoice: "none" });
		expect(next.text).toBe(TEXT);
		// Vendors that tell their thoughts want them back; this one does not, and is asked without from then on.
		const rejectionsOf = [undefined, "Unknown parameter: 'messages[2].reasoning_content'.", undefined];
		expect(simulator.requests.map(({ rejection }) => rejection)).toEqual(rejectionsOf);
	});

	it.each([
		[{ type: "array", items: { type: "string" } }],
		[{ type: "object", properties: {}, required: [], additionalProperties: false }],
		[{ type: "object", properties: { a: { enum: ["b"] } }, required: ["a"] }],
	])("outputs of any schema: %j", async (outputSchema) => {
		expect((await toModel().generate({ ...ASK, outputSchema })).text).toBe(TEXT);
	});

	it("streams one after the other on one connection", async () => {
		const model = toModel();
		// Where the next one comes before this side has seen the end, it opens another.
		for (let round = 1; round <= 60 && simulator.connections === simulator.requests.length; round++) {
			simulator.enqueue({ kind: "reply", text: "12 euro", pauseMs: 10 });
			await streamOf(model);
			await expect.poll(() => simulator.requests.at(-1)?.isAnswered).toBe(true);
		}
		expect(simulator.connections).toBeLessThan(simulator.requests.length);
		expect(simulator.requests.filter(({ isAborted }) => isAborted)).toEqual([]);
	});
});

describe("tries again", () => {
	it.each([429, 500, 502, 503])("after status %i", async (status) => {
		simulator.enqueue(failure(status), failure(status));
		expect((await toModel().generate(ASK)).attempts).toBe(3);
		simulator.enqueue(failure(status));
		const [finish] = (await streamOf(toModel())).slice(-1);
		expect(finish).toMatchObject({ reply: { text: TEXT, attempts: 2 } });
	});

	it("as often as it may, and no more", async () => {
		simulator.enqueue(failure(503), failure(503), failure(503));
		const { code, status, attempts } = await failureOf(toModel().generate(ASK));
		expect([code, status, attempts, simulator.requests.length]).toEqual(["overloaded", 503, 3, 3]);
		simulator.enqueue(failure(503));
		await failureOf(toModel({ maxRetries: 0 }).generate(ASK));
		expect(simulator.requests.length).toBe(4);
	});

	it("when the vendor asks for it, if that is soon", async () => {
		simulator.enqueue(failure(429, { headers: { "retry-after-ms": "80" } }));
		const start = performance.now();
		await toModel().generate(ASK);
		expect(performance.now() - start).toBeGreaterThanOrEqual(78);
		simulator.enqueue(failure(429, { headers: { "retry-after": "120" } }));
		const { retryAfterMs, hint } = await failureOf(toModel().generate(ASK));
		expect(retryAfterMs).toBe(120_000);
		expect(hint).toContain("in 120 s");
		expect(simulator.requests.length).toBe(3);
	});

	it.each([
		["quota", failure(429, { code: "insufficient_quota" })],
		["overloaded", failure(503, { headers: { "x-should-retry": "false" } })],
		["bad_request", failure(400)],
		["overloaded", failure(501)],
		["timeout", failure(408)],
		["timeout", failure(504)],
	])("not after what stays: %s", async (code, behaviour) => {
		simulator.enqueue(behaviour);
		expect((await failureOf(streamOf(toModel()))).code).toBe(code);
		expect(simulator.requests.length).toBe(1);
	});
});

describe("fails", () => {
	it("without a word of the key or of what the vendor said", async () => {
		const error = await failureOf(toModel({ apiKey: "sk-wrong-9876543210" }).generate(ASK));
		const { host } = new URL(simulator.baseUrl);
		expect(error).toMatchObject({ code: "invalid_credential", status: 401, vendorHost: host });
		expect(error.message).toBe(`${host} does not accept the API key (status 401).`);
		expect(error.hint).toContain("`apiKey`");
		expect(`${JSON.stringify(error)}${error.stack}${error.cause}`).not.toMatch(/sk-wrong|3210/);
		const keyless = await failureOf(toModel({ apiKey: undefined }).generate(ASK));
		expect(keyless.message).toMatch(/asks for an API key/);
		expect(simulator.requests[1]?.headers).not.toHaveProperty("authorization");
	});

	it("with a model that is not there", async () => {
		const error = await failureOf(toModel({ model: "gpt-other" }).generate(ASK));
		expect(error.code).toBe("model_not_found");
		expect(error.message).toContain('"gpt-other"');
	});

	it.each([
		["cut", "stream_truncated"],
		["end", "stream_truncated"],
		["error", "overloaded"],
		["stall", "timeout"],
	] as const)("when a stream breaks: %s", async (kind, code) => {
		simulator.enqueue({ kind: "reply", text: TEXT, fault: { kind, after: 3 } });
		const deltas: string[] = [];
		const read = async (): Promise<void> => {
			for await (const event of toModel({ timeouts: { idleTimeoutMs: 600 } }).stream(ASK))
				deltas.push(event.type === "text.delta" ? event.text : event.type);
		};
		expect((await failureOf(read())).code).toBe(code);
		expect(deltas.join("")).toBe(TEXT.slice(0, 14));
		expect(simulator.requests.length).toBe(1);
	});

	it.each(["cut", "end"] as const)("not when a stream breaks behind its last word: %s", async (kind) => {
		simulator.enqueue({ kind: "reply", text: TEXT, fault: { kind } });
		expect((await streamOf(toModel())).at(-1)).toMatchObject({ reply: { text: TEXT, finishReason: "stop" } });
	});

	it.each(["cut", "stall", "error"] as const)(
		"with the usage that a stream has told of: %s",
		async (kind) => {
			const usage = { prompt_tokens: 9, completion_tokens: 2 };
			const events = [`{"choices":[{"delta":{"content":"12"}}],"usage":${JSON.stringify(usage)}}`];
			if (kind === "error") events.push('{"error":{"message":"x","code":503}}');
			const body = new ReadableStream<Uint8Array>({
				start(controller) {
					for (const event of events) controller.enqueue(new TextEncoder().encode(`data: ${event}\n\n`));
					if (kind === "cut") controller.close();
				},
			});
			const fetch = async () => new Response(body, { headers: { "content-type": "text/event-stream" } });
			const error = await failureOf(streamOf(toModel({ fetch, timeouts: { idleTimeoutMs: 600 } })));
			expect(error.usage).toEqual({ inputTokens: 9, outputTokens: 2 });
		},
	);

	it.each(["json", "event-stream"])("with the usage of a whole answer that is none, as %s", async (type) => {
		const body = {
			error: { message: "content_filter", code: "content_filter" },
			usage: { prompt_tokens: 9, completion_tokens: 0 },
		};
		const fetch = async () => Response.json(body);
		const call = type === "json" ? toModel({ fetch }).generate(ASK) : streamOf(toModel({ fetch }));
		const { code, usage } = await failureOf(call);
		expect([code, usage]).toEqual(["content_filtered", { inputTokens: 9, outputTokens: 0 }]);
	});

	it("when nothing answers in time, once, and hangs up", async () => {
		simulator.enqueue({ kind: "silence" });
		const error = await failureOf(streamOf(toModel({ timeouts: { headersTimeoutMs: 600 } })));
		expect(error.code).toBe("timeout");
		expect(error.hint).toContain("timeouts.headersTimeoutMs");
		await expect.poll(() => simulator.requests).toMatchObject([{ isAborted: true }]);
	});

	it("when nobody is there", async () => {
		await simulator.close();
		const error = await failureOf(toModel().generate(ASK));
		expect(error.code).toBe("unreachable");
		expect(error.message).toMatch(/\(ECONN\w+\)/);
	});

	it.each([0, 1])("with what a fetch of one's own throws on purpose, wrapped %i times", async (wraps) => {
		const rejection = new StemmaError("Not there.", { code: "address_not_allowed" });
		const fetch = vi.fn(() =>
			Promise.reject(wraps === 0 ? rejection : new TypeError("x", { cause: rejection })),
		);
		await expect(toModel({ fetch }).generate(ASK)).rejects.toBe(rejection);
		expect(fetch).toHaveBeenCalledTimes(1);
	});
});

describe("ends at once", () => {
	const aborted = () => expect.poll(() => simulator.requests.at(-1)?.isAborted).toBe(true);

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
		simulator.enqueue({ kind: "reply", text: TEXT, fault: { kind: "stall", after: 3 } });
		const controller = new AbortController();
		const events = toModel().stream(ASK, { signal: controller.signal })[Symbol.asyncIterator]();
		await events.next();
		controller.abort("enough");
		await aborted();
		await expect(events.next()).rejects.toBe("enough");
	});

	it("when its reader leaves", async () => {
		simulator.enqueue({ kind: "reply", text: TEXT, fault: { kind: "stall", after: 3 } });
		for await (const _ of toModel().stream(ASK)) break;
		await aborted();
	});

	it("when aborted between two attempts", async () => {
		simulator.enqueue(failure(429, { headers: { "retry-after": "20" } }));
		const controller = new AbortController();
		const call = toModel().generate(ASK, { signal: controller.signal });
		await expect.poll(() => simulator.requests.length).toBe(1);
		setTimeout(() => controller.abort("enough"), 30);
		await expect(call).rejects.toBe("enough");
		expect(simulator.requests.length).toBe(1);
	});

	it("and leaves no listener behind", async () => {
		const { signal } = new AbortController();
		const add = vi.spyOn(signal, "addEventListener");
		const remove = vi.spyOn(signal, "removeEventListener");
		await collect(toModel().stream(ASK, { signal }));
		await toModel().generate(ASK, { signal });
		await failureOf(collect(toModel({ model: "gpt-other" }).stream(ASK, { signal })));
		for await (const _ of toModel().stream(ASK, { signal })) break;
		const removed = remove.mock.calls.map(([, listener]) => listener);
		// The platform's own `fetch` listens to ours, not to this one.
		expect(add).toHaveBeenCalledTimes(4);
		for (const [, listener] of add.mock.calls) expect(removed).toContain(listener);
	});
});

it("does not take a slow reader for a silent vendor", async () => {
	// The model's own timers alone: the network keeps its time.
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	const idleTimeoutMs = 60_000;
	let text = "";
	for await (const event of toModel({ timeouts: { idleTimeoutMs } }).stream(ASK)) {
		if (event.type === "text.delta") text += event.text;
		await vi.advanceTimersByTimeAsync(2 * idleTimeoutMs);
	}
	expect(text).toBe(TEXT);
});
