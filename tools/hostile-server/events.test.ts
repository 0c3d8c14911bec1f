import { agents, ask } from "@stemma/client";
import { describe, expect, it } from "vitest";
import { INPUT, PAID_CALLS, RUN_CALLS, readAll } from "./calls";
import { failCalls, sameFailure } from "./fail-calls";
import { followRun } from "./follow-run";
import { catchError, useServerFixture } from "./server-fixture";

const fixture = useServerFixture();
const STREAM = { kind: "events" } as const;
const WHOLE_RUN = [1, 2, 3, 4, 5, 6];
const ASK = { question: "How long?", knowledge_base_ids: ["kb_1"] };
const { "chat.create": _create, ...streams } = PAID_CALLS;

const base = { run_id: "run_1", at: "2026-01-01T00:00:00.000Z" };
const started = { ...base, type: "run.started", seq: 1 };
const completed = {
	...base,
	type: "run.completed",
	seq: 9,
	result: { run_id: "run_1", status: "completed", output: "Done.", citations: [], receipt: [] },
};

describe("events that are not in order", () => {
	it.each<readonly [string, readonly number[], readonly number[]]>([
		["come twice", [1, 1, 2, 2, 2, 3, 4, 5, 6, 6], WHOLE_RUN],
		["begin again", [1, 2, 3, 1, 2, 3, 4, 5, 6], WHOLE_RUN],
		["have gaps", [1, 3, 6], [1, 3, 6]],
		["change places", [1, 3, 2, 5, 4, 6], [1, 3, 2, 5, 4, 6]],
	])("%s: each is given once, late rather than never", async (_, seqs, given) => {
		fixture().server.setDefault("run", { ...STREAM, seqs });
		expect(await followRun(fixture())).toEqual({ seqs: given, sent: 1 });
	});

	it("come again after each rejoin, and are given once", async () => {
		const { server } = fixture();
		server.enqueue("run", { ...STREAM, maxEvents: 2 });
		server.setDefault("events", { ...STREAM, replay: 99, maxEvents: 1 });
		expect((await followRun(fixture())).seqs).toEqual(WHOLE_RUN);
	});

	it("end before those that were missing are told: nothing comes after the end", async () => {
		fixture().server.setDefault("run", { ...STREAM, seqs: [1, 6, 2, 3] });
		expect((await followRun(fixture())).seqs).toEqual([1, 6]);
	});
});

describe("events that are none", () => {
	it.each<readonly [string, unknown]>([
		["no JSON", "hello"],
		["half a JSON", '{"type":"text.delta","seq":2'],
		["null", "null"],
		["a number", "7"],
		["a list", "[1,2]"],
		["an object without a type", { seq: 2 }],
		["an object without a number", { type: "text.delta" }],
		["a number that is text", { type: "text.delta", seq: "2" }],
		["nothing", ""],
	])("%s is an error that says so", async (_, data) => {
		const { server, client } = fixture();
		server.setDefault("run", { ...STREAM, data: [started, data] });
		server.setDefault("ask", { ...STREAM, data: [data] });
		const calls = [agents(client()).run("desk", INPUT), ask(client())(ASK)];
		for (const call of calls)
			expect(await catchError(call)).toMatchObject({
				name: "StreamError",
				code: "stream_invalid",
				hint: expect.stringMatching(/`baseUrl`/),
			});
		expect(server.requests).toHaveLength(2);
	});

	it("of chats are errors that say so", async () => {
		for (const data of ["hello", "null", "[]", { choices: 7 }]) {
			const { byCall } = await failCalls(
				fixture(),
				{ ...STREAM, data: [data] },
				{ chat: PAID_CALLS["chat.stream"] as never },
			);
			expect(byCall.chat).toMatchObject({ name: "StreamError", code: "stream_invalid" });
		}
	});

	it("of kinds that nobody knows are passed on", async () => {
		const { server, client } = fixture();
		const unknown = { ...base, type: "run.dreamt", seq: 2, of: ["sheep"] };
		server.setDefault("run", { ...STREAM, data: [started, unknown, completed] });
		const events = await readAll(agents(client()).stream("desk", INPUT));
		expect(events[1]).toEqual(unknown);
		expect(events).toHaveLength(3);
	});

	it("cannot reach prototypes", async () => {
		const { server, client } = fixture();
		const hostileValues = '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}';
		const result = `{"run_id":"run_1","status":"failed","output":null,"error":{"code":"c","message":"m",${hostileValues}},${hostileValues}}`;
		server.setDefault("run", {
			...STREAM,
			data: [
				started,
				`{"type":"x","seq":2,${hostileValues}}`,
				`{"type":"run.failed","seq":3,"result":${result},${hostileValues}}`,
			],
		});
		const body = {
			text: `{"error":{"code":"c","message":"m","details":{${hostileValues}},${hostileValues}}}`,
		};
		server.setDefault("search", { kind: "status", status: 400, body });
		const failed = await catchError(agents(client()).run("desk", INPUT));
		expect(failed).toMatchObject({ name: "RunFailedError", code: "c" });
		expect(JSON.stringify(failed)).toContain('"code":"c"');
		expect(({} as { polluted?: number }).polluted).toBeUndefined();
		expect((failed as { polluted?: number }).polluted).toBeUndefined();
	});

	it.each<readonly [string, unknown]>([
		["a last event without a result", { ...completed, result: undefined }],
		["a last event whose result is text", { ...completed, result: "Done." }],
	])("%s is an error that says so", async (_, data) => {
		const { server, client } = fixture();
		server.setDefault("run", { ...STREAM, data: [started, data] });
		expect(await catchError(agents(client()).run("desk", INPUT))).toMatchObject({ code: "stream_invalid" });
	});

	it.each<readonly [string, unknown]>([["an answer that is not there", { type: "ask.completed", seq: 1 }]])(
		"%s is an error that says so",
		async (_, data) => {
			const { server, client } = fixture();
			server.setDefault("ask", { ...STREAM, data: [data] });
			expect(await catchError(ask(client())(ASK))).toMatchObject({ code: "stream_invalid" });
		},
	);

	it("a failure without an error is an error that says so", async () => {
		const { server, client } = fixture();
		server.setDefault("ask", { ...STREAM, data: [{ type: "ask.failed", seq: 1 }] });
		expect(await catchError(ask(client())(ASK))).toMatchObject({ code: "stream_invalid" });
	});

	it("a run whose id is none is an error that says so", async () => {
		const { server, client } = fixture();
		server.setDefault("run", { ...STREAM, data: [{ ...started, run_id: 7 }] });
		expect(await catchError(agents(client()).run("desk", INPUT))).toMatchObject({ code: "stream_invalid" });
	});

	it("a number that no event can have is an error that says so", async () => {
		const { server, client } = fixture();
		server.setDefault("run", { ...STREAM, data: ['{"type":"run.started","run_id":"run_1","seq":1e999}'] });
		expect(await catchError(agents(client()).run("desk", INPUT))).toMatchObject({ code: "stream_invalid" });
	});
});

describe("an event without end", () => {
	it.each(["event", "line"] as const)(
		"is refused at 16 Mi characters (%s), before memory ends",
		async (as) => {
			const before = process.memoryUsage().rss;
			const calls = { ...RUN_CALLS, ...streams };
			// Server and client share a thread that is busy.
			const longTimeouts = { timeouts: { headersTimeoutMs: 10_000, idleTimeoutMs: 10_000 } };
			const { byCall, errors } = await failCalls(
				fixture(),
				{ kind: "flood", as, megabytes: 64 },
				calls,
				longTimeouts,
			);
			for (const { code, sent } of Object.values(byCall))
				expect([code, sent]).toEqual(["sse_event_too_large", 1]);
			for (const { message } of errors) expect(message).toMatch(/longer than .*16777216/);
			expect(process.memoryUsage().rss - before).toBeLessThan(600e6);
		},
	);

	it("is known as an error of streams, and says what to do", async () => {
		const behaviour = { kind: "flood", as: "event", megabytes: 17 } as const;
		const calls = { ...RUN_CALLS, ...streams };
		const { byCall, errors } = await failCalls(fixture(), behaviour, calls);
		expect(byCall).toEqual(sameFailure(calls, { name: "StreamError", code: "sse_event_too_large", sent: 1 }));
		for (const { hint } of errors) expect(hint).toBeTypeOf("string");
	});
});
