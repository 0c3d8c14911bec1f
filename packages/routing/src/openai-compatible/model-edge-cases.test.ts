import type { ChatEvent, ChatReply } from "@stemma/core";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { collect } from "../test-support/chat-model-contract";
import { createOpenAiCompatibleModel } from "./create";
import type { OpenAiCompatibleOptions } from "./options";

const URL_ = "https://models.example/v1/chat/completions";
const ASK = { messages: [{ role: "user", content: "Hello?" }] } as const;
const BODY = {
	choices: [{ index: 0, message: { role: "assistant", content: "Hello." }, finish_reason: "stop" }],
};
const STREAM =
	'data: {"choices":[{"delta":{"content":"Hello."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
afterEach(() => {
	server.resetHandlers();
	vi.unstubAllGlobals();
});
afterAll(() => server.close());

const answer = (body: BodyInit | null, init: ResponseInit = {}): void =>
	server.use(http.post(URL_, () => new HttpResponse(body, init)));
const as = (type: string): ResponseInit => ({ headers: { "content-type": type } });
const toModel = (options: Partial<OpenAiCompatibleOptions> = {}) =>
	createOpenAiCompatibleModel({
		baseUrl: "https://models.example/v1",
		model: "m",
		maxRetries: 0,
		...options,
	});
const read = (options: Partial<OpenAiCompatibleOptions> = {}): Promise<ChatEvent[]> =>
	collect(toModel(options).stream(ASK));
const replyOf = async (options: Partial<OpenAiCompatibleOptions> = {}): Promise<ChatReply | undefined> => {
	const last = (await read(options)).at(-1);
	return last?.type === "finish" ? last.reply : undefined;
};

/** A body that sends the same piece over and over. */
function repeat(piece: string, everyMs: number, onCancel: () => void): ReadableStream<Uint8Array> {
	let timer: ReturnType<typeof setInterval>;
	return new ReadableStream({
		start(controller) {
			timer = setInterval(() => controller.enqueue(new TextEncoder().encode(piece)), everyMs);
		},
		cancel() {
			clearInterval(timer);
			onCancel();
		},
	});
}

describe("a stream is read", () => {
	it.each(["text/event-stream;charset=utf-8", "text/plain", "application/octet-stream"])(
		"as %s",
		async (type) => {
			answer(STREAM, as(type));
			expect((await replyOf())?.text).toBe("Hello.");
		},
	);

	it("where the whole answer comes instead", async () => {
		answer(JSON.stringify(BODY), as("application/json"));
		expect(await read()).toEqual([
			{ type: "text.delta", text: "Hello." },
			{ type: "finish", reply: { text: "Hello.", toolCalls: [], finishReason: "stop", attempts: 1 } },
		]);
	});

	it.each([undefined, "UND_ERR_BODY_TIMEOUT"])(
		"where it breaks off behind the last word: %s",
		async (code) => {
			const pieces = [STREAM.replace(/data: \[DONE\]\n\n/, "")];
			const body = new ReadableStream<Uint8Array>({
				pull(controller) {
					const piece = pieces.shift();
					if (piece === undefined) controller.error(new TypeError("terminated", { cause: { code } }));
					else controller.enqueue(new TextEncoder().encode(piece));
				},
			});
			const fetch = async () => new Response(body, as("text/event-stream"));
			expect((await replyOf({ fetch }))?.text).toBe("Hello.");
		},
	);

	it("where the whole answer comes, but is not wanted any more", async () => {
		answer(JSON.stringify(BODY), as("application/json"));
		const controller = new AbortController();
		const events = toModel().stream(ASK, controller)[Symbol.asyncIterator]();
		expect(await events.next()).toMatchObject({ value: { type: "text.delta" } });
		controller.abort("enough");
		await expect(events.next()).rejects.toBe("enough");
	});

	it("where fetch gives no streams", async () => {
		const fetch = async () => {
			const response = new Response(STREAM, as("text/event-stream"));
			return Object.defineProperty(response, "body", { value: undefined });
		};
		expect((await replyOf({ fetch }))?.text).toBe("Hello.");
	});
});

describe("bad_response", () => {
	it.each([
		["a page", "<html>secret</html>", as("text/html")],
		["text", "secret", as("application/json")],
		["a list", "[]", as("application/json")],
		["no choices", '{"choices":[]}', as("application/json")],
		["nothing", "", as("application/json")],
	])("%s", async (_, body, init) => {
		answer(body, init);
		const failure = { code: "bad_response", hint: expect.stringContaining("baseUrl") };
		await expect(toModel().generate(ASK)).rejects.toMatchObject(failure);
		answer(body, init);
		await expect(read()).rejects.toMatchObject(failure);
	});

	it.each([
		["no events", "secret"],
		["events of text", "data: secret\n\n"],
	])("in a stream: %s", async (name, body) => {
		answer(body, as("text/event-stream"));
		const code = name === "no events" ? "stream_truncated" : "bad_response";
		await expect(read()).rejects.toMatchObject({ code, message: expect.not.stringContaining("secret") });
	});

	it("a reason of calls, and no calls", async () => {
		answer('data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}\n\n', as("text/event-stream"));
		await expect(read()).rejects.toMatchObject({ code: "bad_response" });
	});

	it("an endless list of calls", async () => {
		const piece = (index: number) =>
			`data: {"choices":[{"delta":{"tool_calls":[{"index":${index},"id":"${index}"}]}}]}\n\n`;
		answer(Array.from({ length: 300 }, (_, index) => piece(index)).join(""), as("text/event-stream"));
		await expect(read()).rejects.toMatchObject({ code: "bad_response" });
	});

	it("an endless event", async () => {
		answer(`data: ${"x".repeat(17 * 1024 * 1024)}`, as("text/event-stream"));
		await expect(read()).rejects.toMatchObject({ code: "bad_response" });
	});

	it("an endless answer", async () => {
		const piece = `: ${"x".repeat(4 * 1024 * 1024)}\n`;
		const fetch = async () =>
			new Response(
				repeat(piece, 1, () => undefined),
				as("text/event-stream"),
			);
		await expect(read({ fetch })).rejects.toMatchObject({ code: "bad_response" });
	});

	it.each([301, 307, 308])("a redirect with %i, which takes no key elsewhere", async (status) => {
		const otherEndpoint = vi.fn(() => HttpResponse.json(BODY));
		server.use(http.all("https://elsewhere.example/*", otherEndpoint));
		answer(null, { status, headers: { location: "https://elsewhere.example/v1" } });
		await expect(toModel({ apiKey: "sk-1" }).generate(ASK)).rejects.toMatchObject({
			code: "bad_response",
			message: expect.stringContaining("redirect"),
		});
		expect(otherEndpoint).not.toHaveBeenCalled();
	});
});

describe("errors in answers that began well", () => {
	it("are found in whole bodies", async () => {
		answer('{"error":{"message":"secret","code":429}}', as("application/json"));
		await expect(toModel().generate(ASK)).rejects.toMatchObject({ code: "rate_limited" });
		answer('{"choices":[{"message":{"content":"He"},"finish_reason":"error"}]}', as("application/json"));
		await expect(toModel().generate(ASK)).rejects.toMatchObject({ code: "overloaded" });
	});
});

describe("silence", () => {
	it.each([
		["comments", ": keep-alive\n\n", "text/event-stream"],
		["blank lines", "\n", "application/json"],
	])("is not broken by %s", async (_, piece, type) => {
		const cancelled = vi.fn();
		const fetch = async () => new Response(repeat(piece, 10, cancelled), as(type));
		await expect(read({ fetch, timeouts: { idleTimeoutMs: 80 } })).rejects.toMatchObject({ code: "timeout" });
		expect(cancelled).toHaveBeenCalledTimes(1);
	});

	it.each([
		["no data", "data:\n\n"],
		["no choices", 'data: {"choices":[]}\n\n'],
		["an empty delta", 'data: {"choices":[{"delta":{"role":"assistant","content":""}}]}\n\n'],
		["a ping", "event: ping\ndata: {}\n\n"],
		["an empty call", 'data: {"choices":[{"delta":{"tool_calls":[{"index":0}]}}]}\n\n'],
	])("is not broken by %s", async (_, piece) => {
		const cancelled = vi.fn();
		const fetch = async () => new Response(repeat(piece, 10, cancelled), as("text/event-stream"));
		await expect(read({ fetch, timeouts: { idleTimeoutMs: 80 } })).rejects.toMatchObject({ code: "timeout" });
		expect(cancelled).toHaveBeenCalledTimes(1);
	});

	it.each([
		["nothing", ": x\n\n"],
		["keep-alives", 'data: {"choices":[]}\n\n'],
	])("ends an answer that said why it ends, with %s behind", async (_, piece) => {
		const last = STREAM.replace(/data: \[DONE\]\n\n/, "");
		const pieces = [last];
		let timer: ReturnType<typeof setInterval>;
		const body = new ReadableStream<Uint8Array>({
			start(controller) {
				timer = setInterval(() => controller.enqueue(new TextEncoder().encode(pieces.shift() ?? piece)), 10);
			},
			cancel: () => clearInterval(timer),
		});
		const fetch = async () => new Response(body, as("text/event-stream"));
		expect((await replyOf({ fetch, timeouts: { idleTimeoutMs: 80 } }))?.text).toBe("Hello.");
	});

	it("may be long before an answer that comes at last", async () => {
		answer(`\n\n\n${JSON.stringify(BODY)}`, as("application/json"));
		expect((await toModel().generate(ASK)).text).toBe("Hello.");
	});
});

describe("fetch", () => {
	it("is that of the platform at the time of the call, and gets plain arguments", async () => {
		const model = toModel({ headers: { "API-Key": "k", Accept: "*/*" } });
		const fetch = vi.fn(async (_url: string, _init: RequestInit) => Response.json(BODY));
		vi.stubGlobal("fetch", fetch);
		await model.generate(ASK);
		const [url, init] = fetch.mock.calls[0] ?? [];
		expect(url).toBe(URL_);
		expect(init).toMatchObject({ method: "POST", redirect: "manual" });
		expect(init?.headers).toEqual({ "api-key": "k", accept: "*/*", "content-type": "application/json" });
	});

	it("need not heed signals", async () => {
		const controller = new AbortController();
		const call = toModel({ fetch: () => new Promise(() => undefined) }).generate(ASK, controller);
		controller.abort("enough");
		await expect(call).rejects.toBe("enough");
	});

	it("may run where signals have no reason", async () => {
		const signal = Object.defineProperty(AbortSignal.abort(), "reason", { value: undefined });
		await expect(toModel().generate(ASK, { signal })).rejects.toMatchObject({ name: "AbortError" });
	});
});
