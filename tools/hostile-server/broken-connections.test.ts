import { agents, ask, search } from "@stemma/client";
import type { Behaviour } from "@stemma/simulators/hostile";
import { describe, expect, it } from "vitest";
import { ALL_CALLS, INPUT, PAID_CALLS, REPEATABLE_CALLS, RUN_CALLS, runtime } from "./calls";
import { failCalls, sameFailure } from "./fail-calls";
import { catchError, SHORT_TIMEOUTS, useServerFixture } from "./server-fixture";

const fixture = useServerFixture();
const SPLIT = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

const BROKEN: readonly (readonly [string, Behaviour])[] = [
	["a reset before the headers", { kind: "reset", when: "before-headers" }],
	["a reset in the middle of the headers", { kind: "reset", when: "in-headers" }],
	["an end without an answer", { kind: "raw", text: "" }],
	["another protocol", { kind: "raw", text: "SSH-2.0-OpenSSH_9.6\r\n" }],
	["two lengths", { kind: "raw", text: `${SPLIT}content-length: 2\r\ncontent-length: 4\r\n\r\n{}` }],
	["headers without end", { kind: "raw", text: `${SPLIT}x: ${"y".repeat(200_000)}\r\n\r\n{}` }],
	["a status that only comes unasked", { kind: "status", status: 100 }],
	["another protocol that nobody asked for", { kind: "status", status: 101 }],
];

describe("a connection that breaks", () => {
	it.each(BROKEN)("with %s is tried again where that does no harm", async (_, behaviour) => {
		const { byCall, errors } = await failCalls(fixture(), behaviour, ALL_CALLS);
		const failure = { name: "ConnectionError", code: "connection_failed" };
		expect(byCall).toEqual({
			...sameFailure({ ...REPEATABLE_CALLS, ...RUN_CALLS }, { ...failure, sent: 3 }),
			...sameFailure(PAID_CALLS, { ...failure, sent: 1 }),
		});
		for (const { message, hint } of errors) {
			expect(message).toContain(fixture().server.baseUrl);
			expect(hint).toMatch(/service running/);
		}
	});

	it.each([
		["after the headers", { kind: "reset", when: "after-headers" }],
		["in the body", { kind: "reset", when: "in-body" }],
		["before the length that was said", { kind: "raw", text: `${SPLIT}content-length: 100\r\n\r\n{}` }],
	] as const)("%s, too", async (_, behaviour) => {
		const { byCall } = await failCalls(fixture(), behaviour, { ...REPEATABLE_CALLS, ...PAID_CALLS });
		const failure = { name: "ConnectionError", code: "connection_failed" };
		expect(byCall).toEqual({
			...sameFailure(REPEATABLE_CALLS, { ...failure, sent: 3 }),
			...sameFailure(PAID_CALLS, { ...failure, sent: 1 }),
			// JSON is refused before it is read.
			"chat.stream": { name: "ApiError", code: "invalid_response", sent: 1 },
		});
	});

	it("in the body of a run that is answered whole, is tried again, too", async () => {
		const { server, client } = fixture();
		server.enqueue("run", { kind: "reset", when: "in-body" });
		expect((await agents(client()).run("desk", INPUT)).status).toBe("completed");
	});

	it.each([
		["before the headers", { kind: "reset", when: "before-headers" }],
		["a gateway", { kind: "status", status: 502, body: "html" }],
		["too many", { kind: "status", status: 429, body: "api-error" }],
	] as const)("twice (%s) is not noticed, and starts one run", async (_, behaviour) => {
		const { server, client, connection } = fixture();
		server.enqueue("run", behaviour, behaviour);
		const desk = agents(client());
		expect((await desk.run("desk", INPUT)).output).toBe("It takes five days.");
		expect(server.runs).toHaveLength(1);
		server.enqueue("run", behaviour, behaviour);
		expect((await runtime(connection()).run("desk", INPUT)).status).toBe("completed");
		const keys = server.requests.map(({ headers }) => headers["idempotency-key"]);
		expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]]);
		expect(keys.slice(3)).toEqual([keys[3], keys[3], keys[3]]);
		expect(new Set(keys).size).toBe(2);
	});

	it("is told from that of another call by its idempotency key", async () => {
		const { server, client } = fixture();
		server.enqueue("search", { kind: "reset", when: "in-body" });
		const find = search(client());
		await Promise.all([1, 2, 3].map(() => find({ query: "q", knowledge_base_ids: ["kb_1"] })));
		const keys = server.requests.map(({ headers }) => headers["idempotency-key"]);
		expect(keys).toHaveLength(4);
		expect(new Set(keys).size).toBe(3);
	});

	it("is a failure at once where there is nobody", async () => {
		const { server, client } = fixture();
		const shared = client({ maxRetries: 0 });
		await server.close();
		for (const call of Object.values(ALL_CALLS))
			expect(await catchError(call.start(shared))).toMatchObject({ code: "connection_failed" });
	});

	it("starts one run, however often the answer was lost", async () => {
		const { server, client } = fixture();
		const lost: Behaviour = { kind: "events", maxEvents: 0, ending: "reset" };
		server.enqueue("run", lost, lost, lost, { kind: "events", maxEvents: 0 });
		expect((await agents(client()).run("desk", INPUT)).status).toBe("completed");
		expect(server.runs).toHaveLength(1);
		expect(server.requests).toHaveLength(5);
	});
});

describe("an answer that does not come", () => {
	it.each<readonly [string, Behaviour]>([
		["at all", { kind: "silence", after: "request" }],
		["after its first line", { kind: "silence", after: "status-line" }],
		["but for hints", { kind: "status", status: 103 }],
		["in its headers to an end", { kind: "drip", part: "headers", everyMs: 20 }],
		["in an error to an end", { kind: "drip", part: "body", everyMs: 20, status: 500 }],
	])("%s is given up in time", async (_, behaviour) => {
		const startedAt = performance.now();
		const { byCall, errors } = await failCalls(fixture(), behaviour, ALL_CALLS, { timeouts: SHORT_TIMEOUTS });
		expect(byCall).toEqual(
			sameFailure(ALL_CALLS, { name: "TimeoutError", code: "headers_timeout", sent: 1 }),
		);
		for (const { hint } of errors) expect(hint).toMatch(/`timeouts.headersTimeoutMs`/);
		expect(performance.now() - startedAt).toBeGreaterThanOrEqual(SHORT_TIMEOUTS.headersTimeoutMs - 20);
	});

	it.each<readonly [string, Behaviour]>([
		["after its headers", { kind: "silence", after: "headers" }],
		["in its body to an end", { kind: "drip", part: "body", everyMs: 20 }],
	])("%s is given up in time where it is JSON", async (_, behaviour) => {
		const { "chat.stream": _stream, ...paid } = PAID_CALLS;
		const calls = { ...REPEATABLE_CALLS, ...paid, ...RUN_CALLS };
		const { byCall } = await failCalls(fixture(), behaviour, calls, { timeouts: SHORT_TIMEOUTS });
		expect(byCall).toEqual(sameFailure(calls, { name: "TimeoutError", code: "headers_timeout", sent: 1 }));
	});

	it("ends at once when the caller wants no more of it, with the caller's reason", async () => {
		const { server, client } = fixture();
		for (const { route } of Object.values(ALL_CALLS))
			server.setDefault(route, { kind: "silence", after: "request" });
		const shared = client({ timeouts: { headersTimeoutMs: 600_000, idleTimeoutMs: 600_000 } });
		const reason = new Error("Enough.");
		const controller = new AbortController();
		const { "agents.run": _run, "agents.stream": _stream, ...calls } = ALL_CALLS;
		const failed = Object.values(calls).map((call) =>
			catchError(call.start(shared, { signal: controller.signal })),
		);
		setTimeout(() => controller.abort(reason), 50);
		for (const error of await Promise.all(failed)) expect(error).toBe(reason);
	});

	it("is not waited for longer than the whole call may take", async () => {
		const { client, server } = fixture();
		server.setDefault("search", { kind: "silence", after: "request" });
		server.setDefault("ask", { kind: "silence", after: "request" });
		const options = { timeouts: { headersTimeoutMs: 600_000, timeoutMs: 1000 } };
		const searched = search(client())({ query: "q", knowledge_base_ids: ["kb_1"] }, options);
		const asked = ask(client())({ question: "q", knowledge_base_ids: ["kb_1"] }, options);
		for (const call of [searched, asked])
			expect(await catchError(call)).toMatchObject({
				code: "total_timeout",
				hint: expect.stringMatching(/timeouts.timeoutMs/),
			});
	});
});
