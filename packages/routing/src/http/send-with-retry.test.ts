import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ProviderError } from "../provider-error";
import { type Attempts, makeCall } from "./attempts";
import { type CallOptions, type FetchLike, readCallOptions } from "./call-options";
import type { CallTimeout } from "./call-timeout";
import { type ErrorResponse, sendWithRetry } from "./send-with-retry";

const KEY = "sk-0123456789";
const ENDPOINT = {
	vendorHost: "models.example",
	model: "m",
	hasKey: true,
	api: "some API",
	baseUrlHint: "Check `baseUrl`.",
};

/** What was read of the bodies of refusals. */
let requestText: string[] = [];
beforeEach(() => {
	requestText = [];
	vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

const REQUEST = {
	url: "https://models.example/v1",
	body: "{}",
	headers: () => ({ authorization: `Bearer ${KEY}` }),
	readError({ status, text }: ErrorResponse) {
		requestText.push(text);
		return { code: status === 400 ? "bad_request" : "overloaded" } as const;
	},
};

const sendWith = (options: CallOptions, callTimeout: CallTimeout, attempts: Attempts): Promise<string> =>
	sendWithRetry(REQUEST, { ...ENDPOINT, ...readCallOptions(options) }, callTimeout, attempts).then(
		({ body }) => body.text(),
	);

const call = (fetch: FetchLike, options: CallOptions = {}): Promise<string> =>
	makeCall(undefined, (callTimeout, attempts) => sendWith({ fetch, ...options }, callTimeout, attempts));

const failureOf = (promise: Promise<unknown>): Promise<ProviderError> =>
	promise.then(
		() => Promise.reject(new Error("It did not fail.")),
		(error: unknown) => (ProviderError.is(error) ? error : Promise.reject(error)),
	);

/** Answers with these statuses, one after the other; with 200 from then on. */
const respondWith = (...statuses: number[]) =>
	vi.fn(async () => new Response("said", { status: statuses.shift() ?? 200 }));

describe("tries again", () => {
	it.each([429, 500, 502, 503])("after status %i", async (status) => {
		const fetch = respondWith(status, status);
		expect(await call(fetch)).toBe("said");
		expect(fetch).toHaveBeenCalledTimes(3);
	});

	it.each([408, 504, 501, 400])("not after status %i", async (status) => {
		const fetch = respondWith(status);
		expect(await failureOf(call(fetch))).toMatchObject({ status, attempts: 1 });
	});

	it.each([
		[400, { inputTokens: 0, outputTokens: 0 }],
		[401, { inputTokens: 0, outputTokens: 0 }],
		[408, undefined],
		[504, undefined],
	])("and knows what a refusal with status %i took", async (status, usage) => {
		expect((await failureOf(call(respondWith(status)))).usage).toEqual(usage);
	});

	it("and does not call free what an attempt before may have cost", async () => {
		expect((await failureOf(call(respondWith(503, 401)))).usage).toBeUndefined();
	});

	it("as often as it may in all posts of a call together", async () => {
		const fetch = respondWith(503, 400, 503, 400, 503);
		const posts = makeCall(undefined, async (callTimeout, attempts) => {
			for (let post = 1; post < 3; post++) await failureOf(sendWith({ fetch }, callTimeout, attempts));
			return sendWith({ fetch }, callTimeout, attempts);
		});
		expect(await failureOf(posts)).toMatchObject({ status: 503, attempts: 5 });
	});

	it("as often again behind an answer", async () => {
		const fetch = respondWith(503, 503, 200, 503, 503);
		await makeCall(undefined, async (callTimeout, attempts) => {
			await sendWith({ fetch }, callTimeout, attempts);
			await sendWith({ fetch }, callTimeout, attempts);
		});
		expect(fetch).toHaveBeenCalledTimes(6);
	});

	it("after a connection that broke", async () => {
		const fetch = respondWith();
		fetch.mockRejectedValueOnce(new TypeError("fetch failed", { cause: { code: "ECONNRESET" } }));
		expect(await call(fetch)).toBe("said");
	});
});

describe("a fetch that gives up waiting by itself", () => {
	const HEADERS = { name: "HeadersTimeoutError", code: "UND_ERR_HEADERS_TIMEOUT" };
	const BODY = { name: "BodyTimeoutError", code: "UND_ERR_BODY_TIMEOUT" };

	it.each([
		["before the answer", new TypeError("fetch failed", { cause: HEADERS })],
		["before the answer, unwrapped", Object.assign(new Error("late"), HEADERS)],
		["within the answer", new TypeError("terminated", { cause: BODY })],
		["at a signal of its own", new DOMException("late", "TimeoutError")],
	])("%s, is a timeout, and final", async (_, error) => {
		const fetch = vi.fn(() => Promise.reject(error));
		expect(await failureOf(call(fetch))).toMatchObject({ code: "timeout", attempts: 1 });
		expect(fetch).toHaveBeenCalledTimes(1);
	});

	it("is one also in the middle of an answer", async () => {
		const broken = new ReadableStream({
			pull: (controller) => controller.error(new TypeError("terminated", { cause: BODY })),
		});
		expect((await failureOf(call(async () => new Response(broken)))).code).toBe("timeout");
	});

	it("is none where it could not connect", async () => {
		const error = new TypeError("fetch failed", { cause: { code: "UND_ERR_CONNECT_TIMEOUT" } });
		const fetch = vi.fn(() => Promise.reject(error));
		expect(await failureOf(call(fetch))).toMatchObject({ code: "unreachable", attempts: 3 });
	});
});

describe("of an error with the request on it", () => {
	const error = Object.assign(new Error(`Bearer ${KEY}`), { code: "ECONNRESET", options: REQUEST.headers() });

	it.each([
		["fetch", async () => Promise.reject(error)],
		["the answer", async () => new Response(new ReadableStream({ pull: (body) => body.error(error) }))],
	])("from %s, name and code are kept alone", async (_, fetch) => {
		const failure = await failureOf(call(fetch, { maxRetries: 0 }));
		expect(inspect(failure, { depth: null })).not.toContain(KEY);
		expect(failure.cause).toMatchObject({ name: "Error", code: "ECONNRESET" });
	});
});

describe("the body of a refusal", () => {
	/** Sends a letter each second, or nothing. */
	const sendSlowly = (letter: string): Response => {
		let timer: ReturnType<typeof setInterval>;
		const body = new ReadableStream<Uint8Array>({
			start(controller) {
				if (letter !== "")
					timer = setInterval(() => controller.enqueue(new TextEncoder().encode(letter)), 1000);
			},
			cancel: () => clearInterval(timer),
		});
		return new Response(body, { status: 400 });
	};
	const letters = sendSlowly.bind(undefined, "x");
	const nothing = sendSlowly.bind(undefined, "");
	it.each([
		["letters for ever", letters, {}, 5_000, "xxxx"],
		["nothing", nothing, { headersTimeoutMs: 2_500 }, 5_000, ""],
		["letters for ever", letters, { idleTimeoutMs: 2_500 }, 2_500, "xx"],
		["nothing", nothing, {}, 5_000, ""],
		["nothing", nothing, { idleTimeoutMs: 2_500 }, 2_500, ""],
	])("is waited for so long, then what has come counts: %s, %#", async (_, answer, timeouts, ms, text) => {
		vi.useFakeTimers();
		const outcome = failureOf(call(async () => answer(), { timeouts }));
		await vi.advanceTimersByTimeAsync(ms - 1);
		expect(requestText).toEqual([]);
		await vi.advanceTimersByTimeAsync(1);
		expect(requestText.map((all) => all.slice(0, 4))).toEqual([text]);
		expect(await outcome).toMatchObject({ code: "bad_request", status: 400 });
	});

	it("is waited for no longer than it lasts", async () => {
		vi.useFakeTimers();
		await failureOf(call(respondWith(400)));
		expect([requestText, vi.getTimerCount()]).toEqual([["said"], 0]);
	});

	it("is left when the caller aborts", async () => {
		const controller = new AbortController();
		const fetch = async (): Promise<Response> => nothing();
		const aborted = makeCall(controller.signal, (callTimeout, attempts) =>
			sendWith({ fetch }, callTimeout, attempts),
		);
		setTimeout(() => controller.abort("enough"));
		await expect(aborted).rejects.toBe("enough");
	});
});
