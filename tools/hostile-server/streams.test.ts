import { agents, ask, chatCompletions, runs } from "@stemma/client";
import type { EventStream } from "@stemma/simulators/hostile";
import { describe, expect, it } from "vitest";
import { INPUT, PAID_CALLS, REPEATABLE_CALLS, readAll, runtime } from "./calls";
import { failCalls, sameFailure } from "./fail-calls";
import { followRun } from "./follow-run";
import { catchError, SHORT_TIMEOUTS, useServerFixture } from "./server-fixture";

const fixture = useServerFixture();
const STREAM = { kind: "events" } as const;
const WHOLE_RUN = [1, 2, 3, 4, 5, 6];
const ASK = { question: "How long?", knowledge_base_ids: ["kb_1"] };

describe("a stream that is written oddly", () => {
	it.each<readonly [string, Partial<EventStream>]>([
		["byte by byte", { chunkBytes: 1 }],
		["in sevens", { chunkBytes: 7 }],
		["with CR alone", { lineEnd: "\r" }],
		["with CR LF", { lineEnd: "\r\n" }],
		["with CR LF, byte by byte", { lineEnd: "\r\n", chunkBytes: 1 }],
		["after a byte order mark", { startsWithBom: true }],
		["after a byte order mark, byte by byte", { startsWithBom: true, chunkBytes: 1 }],
		["compressed", { contentEncoding: "gzip" }],
		["compressed, in sevens", { contentEncoding: "gzip", chunkBytes: 7 }],
		["with a charset", { contentType: "text/event-stream; charset=utf-8" }],
		["with a type in capitals", { contentType: "Text/Event-Stream" }],
	])("%s is read as it was meant, over one connection", async (_, wire) => {
		fixture().server.setDefault("run", { ...STREAM, ...wire });
		expect(await followRun(fixture())).toEqual({ seqs: WHOLE_RUN, sent: 1 });
	});
});

describe("a stream that breaks", () => {
	it.each<readonly [string, EventStream]>([
		["ends without a last event", { ...STREAM, maxEvents: 3 }],
		["is reset", { ...STREAM, maxEvents: 3, ending: "reset" }],
		["is cut", { ...STREAM, maxEvents: 3, ending: "cut" }],
		["is reset in an event", { ...STREAM, maxEvents: 3, ending: "half-event-and-reset" }],
		["ends in an event", { ...STREAM, maxEvents: 3, ending: "half-event-and-end" }],
		["falls silent", { ...STREAM, maxEvents: 3, ending: "silence" }],
		["is reset before its first event", { ...STREAM, maxEvents: 0, ending: "reset" }],
		["never says anything", { ...STREAM, maxEvents: 0, ending: "silence" }],
	])("because it %s is taken up again, without loss or repeats", async (_, behaviour) => {
		const { server } = fixture();
		server.enqueue("run", behaviour);
		server.enqueue("events", { ...STREAM, maxEvents: 1, ending: "reset" });
		const knowsRun = behaviour.maxEvents !== 0;
		const timeouts = behaviour.ending === "silence" ? SHORT_TIMEOUTS : {};
		expect(await followRun(fixture(), timeouts)).toEqual({ seqs: WHOLE_RUN, sent: knowsRun ? 3 : 2 });
		if (!knowsRun) return;
		const rejoins = server.requests.slice(1).map(({ path, headers }) => [path, headers["last-event-id"]]);
		expect(rejoins).toEqual([
			["/v1/runs/run_1/events", "3"],
			["/v1/runs/run_1/events", "4"],
		]);
		expect(server.requests.slice(1).every(({ headers }) => headers["stemma-run-token"] !== undefined)).toBe(
			true,
		);
	});

	it("because its compression is broken is taken up again", async () => {
		fixture().server.enqueue("run", { ...STREAM, contentEncoding: "broken-gzip" });
		expect((await followRun(fixture())).seqs).toEqual(WHOLE_RUN);
	});

	it("of a runtime is taken up again", async () => {
		const { server, connection } = fixture();
		server.enqueue("run", { ...STREAM, maxEvents: 2, ending: "reset" });
		server.enqueue("events", { ...STREAM, maxEvents: 2, ending: "half-event-and-reset" });
		const stream = runtime(connection()).stream("desk", INPUT);
		expect((await readAll(stream)).map(({ seq }) => seq)).toEqual(WHOLE_RUN);
		expect(server.requests.map(({ path }) => path)).toEqual([
			"/run/desk",
			"/runs/run_1/events",
			"/runs/run_1/events",
		]);
	});

	it.each([
		["silence", "idle_timeout"],
		["reset", "connection_failed"],
		["end", undefined],
	] as const)("again and again (%s) is given up, and says that the run may go on", async (ending, cause) => {
		const { server, client } = fixture();
		server.enqueue("run", { ...STREAM, maxEvents: 2 });
		server.setDefault("events", { ...STREAM, maxEvents: 0, ending });
		const error = await catchError(
			agents(client({ timeouts: ending === "silence" ? { idleTimeoutMs: 400 } : {} })).run("desk", INPUT),
		);
		expect(error).toMatchObject({ name: "StreamError", code: "stream_lost" });
		expect(error.message).toMatch(/run_1.* after event 2/);
		expect(error.hint).toMatch(/`runs.stream`/);
		expect((error.cause as { code?: string } | undefined)?.code).toBe(cause);
		expect(server.requests).toHaveLength(9);
	});

	it.each<readonly [string, NonNullable<EventStream["ending"]>, string]>([
		["is reset", "reset", "connection_failed"],
		["ends", "half-event-and-end", "stream_cut_off"],
		["falls silent", "silence", "idle_timeout"],
	])("because it %s ends what is not rejoined, and it is not paid for twice", async (_, ending, code) => {
		const timeouts = ending === "silence" ? SHORT_TIMEOUTS : {};
		const { byCall } = await failCalls(fixture(), { ...STREAM, text: ": hello\n\n", ending }, streams, {
			timeouts,
		});
		expect(Object.values(byCall).map((failure) => [failure.code, failure.sent])).toEqual([
			[code, 1],
			[code, 1],
		]);
	});
});

const { "chat.create": _create, ...streams } = PAID_CALLS;

describe("a stream that only beats", () => {
	const HEARTBEAT = { ...STREAM, maxEvents: 2, ending: "heartbeats" } as const;

	it("is waited for until the whole call has taken too long; then the run is stopped", async () => {
		const { server, client } = fixture();
		server.setDefault("run", HEARTBEAT);
		const call = agents(client()).run("desk", INPUT, { timeouts: { timeoutMs: 2000 } });
		expect(await catchError(call)).toMatchObject({ code: "total_timeout" });
		await expect.poll(() => server.runs[0]?.isCancelled).toBe(true);
		expect(server.requests.map(({ route }) => route)).toEqual(["run", "cancel"]);
	});

	it("is waited for until nothing has happened for too long; then the run is stopped", async () => {
		const { server, client } = fixture();
		server.setDefault("run", HEARTBEAT);
		server.setDefault("ask", { ...STREAM, text: "", ending: "heartbeats" });
		const shared = client({ timeouts: { eventTimeoutMs: 1500 } });
		const calls = [agents(shared).run("desk", INPUT), ask(shared)(ASK)];
		for (const error of await Promise.all(calls.map(catchError)))
			expect(error).toMatchObject({ code: "event_timeout" });
		await expect.poll(() => server.runs[0]?.isCancelled).toBe(true);
	});

	it("is left by whoever leaves the loop, and the run goes on", async () => {
		const { server, client } = fixture();
		server.setDefault("run", HEARTBEAT);
		for await (const event of agents(client()).stream("desk", INPUT)) if (event.seq === 2) break;
		await expect.poll(() => server.openResponses).toBe(0);
		expect(server.requests).toMatchObject([{ route: "run", isAborted: true }]);
		expect(server.runs[0]?.isCancelled).toBe(false);
	});

	it.each(["ask", "chat"] as const)("is left by whoever leaves the loop: %s", async (route) => {
		const { server, client } = fixture();
		const first = { ask: { type: "text.delta", seq: 1, text: "It" }, chat: { choices: [] } }[route];
		server.setDefault(route, { ...STREAM, data: [first], ending: "heartbeats" });
		const shared = client();
		const stream =
			route === "ask"
				? ask(shared).stream(ASK)
				: chatCompletions(shared).stream({ model: "default", messages: [{ role: "user", content: "q" }] });
		for await (const _ of stream) break;
		await expect.poll(() => server.openResponses).toBe(0);
		expect(server.requests).toMatchObject([{ isAborted: true }]);
	});
});

describe("a stream where JSON was asked for", () => {
	it("is no answer, and is given up in time if it never ends", async () => {
		const text = ": hello\n\n";
		const { byCall } = await failCalls(fixture(), { ...STREAM, text }, REPEATABLE_CALLS);
		expect(byCall).toEqual(
			sameFailure(REPEATABLE_CALLS, { name: "ApiError", code: "invalid_response", sent: 1 }),
		);
		const beating = { ...STREAM, text, ending: "heartbeats" } as const;
		for (const { code } of (
			await failCalls(fixture(), beating, REPEATABLE_CALLS, { timeouts: SHORT_TIMEOUTS })
		).errors)
			expect(code).toBe("headers_timeout");
	});
});

describe("a run that is answered whole where a stream was asked for", () => {
	it("is followed from its first event", async () => {
		const { server, client } = fixture();
		const body = {
			text: '{"run_id":"run_1","status":"completed","output":"x","run_token":"rt_hostile_secret_1"}',
		};
		// The run is there, as for an idempotency key that comes again.
		await agents(client()).run("desk", INPUT);
		server.setDefault("run", { kind: "status", status: 200, body });
		const events = await readAll(agents(client()).stream("desk", INPUT));
		expect(events.map(({ seq }) => seq)).toEqual(WHOLE_RUN);
	});

	it("is an answer where it is one", async () => {
		const { server, client } = fixture();
		const text = '{"answer":"Now.","citations":[],"passages":[],"receipt":[],"usage":{}}';
		server.setDefault("ask", { kind: "status", status: 200, body: { text } });
		expect((await ask(client())(ASK)).answer).toBe("Now.");
	});

	it("is an error where a rejoin is answered by something else, again and again", async () => {
		const { server, client } = fixture();
		server.setDefault("events", { kind: "status", status: 200, body: "html" });
		expect(await catchError(readAll(runs(client()).stream("run_1")))).toMatchObject({
			code: "invalid_response",
		});
		server.enqueue("run", { ...STREAM, maxEvents: 2 });
		const error = await catchError(agents(client()).run("desk", INPUT));
		expect(error).toMatchObject({ code: "stream_lost", cause: { code: "invalid_response" } });
	});
});
