import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { createSseReader } from "@stemma/core/sse";
import { formatEvent } from "@stemma/protocol";
import { afterEach, describe, expect, test, vi } from "vitest";
import { eventStream, type SendEvent, wantsStream } from "./event-stream";
import { createTestApp } from "./test-support/test-app";

function streamOf(run: (send: SendEvent, signal: AbortSignal) => Promise<void>) {
	const test = createTestApp();
	test.app.get("/stream", (context) => {
		context.set("workspace", test.workspace);
		context.set("caller", { kind: "client", id: "cl_test", workspaceId: "ws_test", scopes: [] });
		return eventStream(context, run);
	});
	return { ...test, open: async (init?: RequestInit) => test.app.request("/stream", init) };
}

/** Lets all that is ready happen. */
const nextTick = () => new Promise((resolve) => setImmediate(resolve));

afterEach(() => void vi.useRealTimers());

test("sends events that a reader understands, then ends", async () => {
	const { open, countInFlight } = streamOf(async (send) => {
		await send({ id: 1, event: "a", data: { text: "x\ny" } });
		await send({ data: "[DONE]" });
	});
	const response = await open();
	expect(Object.fromEntries(response.headers)).toMatchObject({
		"content-type": "text/event-stream",
		"cache-control": "no-cache, no-transform",
		"x-accel-buffering": "no",
		"x-request-id": expect.any(String),
	});
	expect(createSseReader().push(await response.text())).toEqual([
		{ event: "a", data: '{"text":"x\\ny"}', lastEventId: "1" },
		{ event: "message", data: "[DONE]", lastEventId: "1" },
	]);
	await nextTick();
	expect(countInFlight()).toBe(0);
});

test("text of several lines stays one event", () => {
	const text = formatEvent({ data: "a\nb\r\nc" });
	expect(createSseReader().push(text)).toEqual([{ event: "message", data: "a\nb\nc", lastEventId: "" }]);
});

test("sends no faster than the client reads", async () => {
	let sent = 0;
	const { open } = streamOf(async (send) => {
		for (; sent < 1000; sent++) await send({ data: "x" });
	});
	const reader = (await open()).body?.getReader();
	for (let turn = 0; turn < 20; turn++) await nextTick();
	expect(sent).toBeLessThan(5);
	for (let read = 0; read < 100; read++) await reader?.read();
	expect(sent).toBeGreaterThan(95);
	await reader?.cancel();
});

describe("a client that goes away", () => {
	const forever = (seen: { reason?: unknown; error?: unknown }) =>
		streamOf(async (send, signal) => {
			signal.addEventListener("abort", () => (seen.reason = signal.reason));
			try {
				for (;;) await send({ data: "x" });
			} catch (error) {
				seen.error = error;
				throw error;
			}
		});
	test("aborts the signal, ends the work, and is no failure", async () => {
		const seen: { reason?: unknown; error?: unknown } = {};
		const { open, log, countInFlight } = forever(seen);
		const reader = (await open()).body?.getReader();
		await reader?.read();
		await reader?.cancel();
		for (let turn = 0; turn < 5; turn++) await nextTick();
		expect(seen.reason).toMatchObject({ name: "AbortError" });
		expect(seen.error).toBeDefined();
		expect(log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
		expect(countInFlight()).toBe(0);
	});
	test("before the answer begins leaves nothing waiting", async () => {
		const seen: { reason?: unknown } = {};
		const { open, countInFlight } = forever(seen);
		await open({ signal: AbortSignal.abort() });
		for (let turn = 0; turn < 5; turn++) await nextTick();
		expect(seen.reason).toBeUndefined();
		expect(countInFlight()).toBe(0);
	});
	test("is told by the request's signal, too", async () => {
		const seen: { reason?: unknown } = {};
		const gone = new AbortController();
		const { open } = forever(seen);
		const response = await open({ signal: gone.signal });
		gone.abort();
		await nextTick();
		expect(seen.reason).toMatchObject({ name: "AbortError" });
		await response.body?.cancel();
	});
});

test("a client that goes away over the wire is noticed", async () => {
	let reason: unknown;
	const { app } = streamOf(async (send, signal) => {
		await send({ data: "x" });
		await new Promise((resolve) => signal.addEventListener("abort", resolve));
		reason = signal.reason;
	});
	const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false });
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	const gone = new AbortController();
	const response = await fetch(`http://127.0.0.1:${port}/stream`, { signal: gone.signal });
	await response.body?.getReader().read();
	gone.abort();
	await expect.poll(() => reason).toMatchObject({ name: "AbortError" });
	await new Promise((resolve) => server.close(resolve));
});

test("a failure breaks the connection off, and is logged", async () => {
	const { open, log } = streamOf(async (send) => {
		await send({ data: "x" });
		throw new Error("s3cret");
	});
	await expect((await open()).text()).rejects.toThrow("The stream was interrupted.");
	expect(log).toContainEqual(expect.objectContaining({ msg: "stream failed" }));
});

test("a service that stops asks to rejoin, and lets the work send its last event", async () => {
	const { open, endStreams } = streamOf(async (send, signal) => {
		await new Promise((resolve) => signal.addEventListener("abort", resolve));
		await send({ event: "last", data: {} });
	});
	const response = await open();
	endStreams();
	const text = await response.text();
	expect(text).toMatch(/^retry: 1000\n: .*Rejoin.*\n\nevent: last\n/);
	const reader = createSseReader();
	expect([reader.push(text).map(({ event }) => event), reader.retryMs]).toEqual([["last"], 1000]);
});

test("says something after 15 seconds of silence, and only then", async () => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
	let finish = (): void => undefined;
	const { open } = streamOf(async (send) => {
		await send({ data: "x" });
		await new Promise<void>((resolve) => (finish = resolve));
	});
	const text = (await open()).text();
	await nextTick();
	vi.advanceTimersByTime(14_000);
	await nextTick();
	vi.advanceTimersByTime(2000);
	await nextTick();
	vi.advanceTimersByTime(15_000);
	await nextTick();
	finish();
	expect(await text).toBe("data: x\n\n: still here\n\n: still here\n\n");
});

test.each([
	[undefined, undefined, false],
	["text/event-stream", undefined, true],
	["application/json, text/event-stream;q=0.9", undefined, true],
	["text/event-stream", false, false],
	[undefined, true, true],
])("Accept: %s and stream: %s: %s", async (accept, stream, isWanted) => {
	const { app } = createTestApp();
	app.get("/", (context) => context.json(wantsStream(context, stream === undefined ? {} : { stream })));
	const response = await app.request("/", { headers: accept === undefined ? {} : { accept } });
	expect(await response.json()).toBe(isWanted);
});
