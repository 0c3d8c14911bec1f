import type { LanguageModelV2, LanguageModelV2StreamPart, LanguageModelV4 } from "@ai-sdk/provider";
import type { ChatRequest } from "@stemma/core";
import { describe, expect, it, vi } from "vitest";
import { collect } from "../test-support/chat-model-contract";
import { fromAiSdk } from "./from-ai-sdk";

const ASK: ChatRequest = { messages: [{ role: "user", content: "What does it cost?" }] };
const USAGE = { inputTokens: 9, outputTokens: 7, totalTokens: 16 };
const NAMES = { provider: "acme.chat", modelId: "m", supportedUrls: {} };

const toStream = <Part>(parts: readonly Part[]): ReadableStream<Part> =>
	new ReadableStream({
		start(controller) {
			for (const part of parts) controller.enqueue(part);
			controller.close();
		},
	});

/** As AI SDK 5 has them. */
const modelV2 = (parts: readonly LanguageModelV2StreamPart[]): LanguageModelV2 => ({
	...NAMES,
	specificationVersion: "v2",
	doGenerate: () =>
		Promise.resolve({
			content: [{ type: "text", text: "12 euro" }],
			finishReason: "stop",
			usage: USAGE,
			warnings: [],
		}),
	doStream: () => Promise.resolve({ stream: toStream(parts) }),
});

describe("a model of AI SDK 5", () => {
	it("answers at once and in a stream", async () => {
		const model = fromAiSdk(
			modelV2([
				{ type: "text-start", id: "1" },
				{ type: "text-delta", id: "1", delta: "12 " },
				{ type: "text-delta", id: "1", delta: "euro" },
				{ type: "finish", finishReason: "stop", usage: USAGE },
			]),
		);
		const reply = {
			text: "12 euro",
			toolCalls: [],
			finishReason: "stop",
			usage: { inputTokens: 9, outputTokens: 7 },
			attempts: 1,
		};
		expect(await model.generate(ASK)).toEqual(reply);
		expect((await collect(model.stream(ASK))).at(-1)).toEqual({ type: "finish", reply });
	});

	it("whose stream just ends was cut off", async () => {
		const model = fromAiSdk(modelV2([{ type: "text-delta", id: "1", delta: "12" }]));
		await expect(collect(model.stream(ASK))).rejects.toMatchObject({ code: "stream_truncated", attempts: 1 });
	});

	it("may fail before it gives a promise", async () => {
		const doGenerate = (): never => {
			throw new Error("boom");
		};
		const model = fromAiSdk({ ...modelV2([]), doGenerate });
		await expect(model.generate(ASK)).rejects.toMatchObject({ name: "ProviderError", code: "bad_response" });
	});
});

function modelV4(content: Awaited<ReturnType<LanguageModelV4["doGenerate"]>>["content"], rest: object = {}) {
	const doGenerate = vi.fn<LanguageModelV4["doGenerate"]>(() =>
		Promise.resolve({
			content,
			finishReason: { unified: "stop", raw: "end_turn" },
			usage: {
				inputTokens: { total: 9, noCache: 9, cacheRead: 0, cacheWrite: 0 },
				outputTokens: { total: 7, text: 7, reasoning: 0 },
			},
			warnings: [],
			...rest,
		}),
	);
	const doStream = () => Promise.reject(new Error("Not called."));
	const model: LanguageModelV4 = { ...NAMES, specificationVersion: "v4", doGenerate, doStream };
	return { doGenerate, model: fromAiSdk(model) };
}

describe("a model of AI SDK 7", () => {
	it("gets back the signatures of its calls, with the answers to them", async () => {
		const acme = { acme: { thoughtSignature: "s" } };
		const { model, doGenerate } = modelV4([
			{ type: "reasoning", text: "Hm.", providerMetadata: acme },
			{ type: "tool-call", toolCallId: "a", toolName: "faq", input: "{}", providerMetadata: acme },
		]);
		const { text, toolCalls } = await model.generate(ASK);
		await model.generate({
			messages: [
				...ASK.messages,
				{ role: "assistant", content: text, toolCalls },
				{ role: "tool", callId: "a", name: "faq", content: "12 euro" },
			],
		});
		expect(doGenerate.mock.calls[1]?.[0].prompt[1]).toEqual({
			role: "assistant",
			content: [
				{ type: "reasoning", text: "Hm.", providerOptions: acme },
				{ type: "tool-call", toolCallId: "a", toolName: "faq", input: {}, providerOptions: acme },
			],
		});
	});

	it("may say which of its text is the output that was asked for", async () => {
		const { model } = modelV4([{ type: "text", text: "A draft. {}" }], { structuredOutputText: "{}" });
		expect((await model.generate({ ...ASK, outputSchema: { type: "object" } })).text).toBe("{}");
		expect((await model.generate(ASK)).text).toBe("A draft. {}");
	});

	it("that waits for an approval fails, and says what to do", async () => {
		const { model } = modelV4([{ type: "tool-approval-request", approvalId: "p", toolCallId: "a" }]);
		await expect(model.generate(ASK)).rejects.toMatchObject({ hint: expect.stringContaining("approvals") });
	});
});

describe("a model that does not listen", () => {
	function ignoringAbort() {
		const cancel = vi.fn();
		const signals: (AbortSignal | undefined)[] = [];
		const answer = <T>(options: { readonly abortSignal?: AbortSignal }, value: T): T => {
			signals.push(options.abortSignal);
			return value;
		};
		const model = fromAiSdk({
			...modelV2([]),
			doGenerate: (options) => answer(options, new Promise<never>(() => undefined)),
			doStream: (options) =>
				answer(
					options,
					Promise.resolve({
						stream: new ReadableStream({
							start: (controller) => controller.enqueue({ type: "text-delta", id: "1", delta: "12" }),
							cancel,
						}),
					}),
				),
		});
		return { model, cancel, signals };
	}

	it("is not asked for what is wanted no more", async () => {
		const { model, signals } = ignoringAbort();
		const options = { signal: AbortSignal.abort("not wanted") };
		await expect(model.generate(ASK, options)).rejects.toBe("not wanted");
		await expect(collect(model.stream(ASK, options))).rejects.toBe("not wanted");
		expect(signals).toEqual([]);
	});

	it("is not waited for when the caller aborts", async () => {
		const { model, signals, cancel } = ignoringAbort();
		const generating = new AbortController();
		const call = model.generate(ASK, { signal: generating.signal });
		generating.abort("enough");
		await expect(call).rejects.toBe("enough");
		const streaming = new AbortController();
		const events = model.stream(ASK, { signal: streaming.signal })[Symbol.asyncIterator]();
		await events.next();
		const next = events.next();
		streaming.abort("enough");
		await expect(next).rejects.toBe("enough");
		expect([signals.map((signal) => signal?.aborted), cancel.mock.calls.length]).toEqual([[true, true], 1]);
	});

	it("is told in both ways when its reader leaves", async () => {
		const { model, signals, cancel } = ignoringAbort();
		for await (const _ of model.stream(ASK)) break;
		expect([signals.map((signal) => signal?.aborted), cancel.mock.calls.length]).toEqual([[true], 1]);
	});
});
