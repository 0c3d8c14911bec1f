import { isStemmaError, runs } from "@stemma/client";
import type { BodyName } from "@stemma/simulators/hostile";
import { type OtherOrigin, startOtherOrigin } from "@stemma/simulators/hostile";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ALL_CALLS, INPUT, PAID_CALLS, REPEATABLE_CALLS, RUN_CALLS, runtime } from "./calls";
import { failCalls, sameFailure } from "./fail-calls";
import { catchError, useServerFixture } from "./server-fixture";

const fixture = useServerFixture();
const RETRIED = { ...REPEATABLE_CALLS, ...RUN_CALLS };

describe("a status that is no success", () => {
	it.each([
		[400, "InvalidRequestError"],
		[401, "AuthenticationError"],
		[402, "ApiError"],
		[403, "PermissionError"],
		[404, "NotFoundError"],
		[405, "ApiError"],
		[409, "ConflictError"],
		[410, "ApiError"],
		[413, "ApiError"],
		[418, "ApiError"],
		[422, "InvalidRequestError"],
		[425, "ApiError"],
		[431, "ApiError"],
		[451, "ApiError"],
		[499, "ApiError"],
		[500, "ServerError"],
		[501, "NotConfiguredError"],
		[505, "ServerError"],
		[507, "ServerError"],
		[511, "ServerError"],
		[520, "ServerError"],
		[599, "ServerError"],
		[600, "ServerError"],
		[999, "ServerError"],
	])("%i is said at once: %s", async (status, name) => {
		const { byCall, errors } = await failCalls(
			fixture(),
			{ kind: "status", status, body: "api-error" },
			ALL_CALLS,
		);
		expect(byCall).toEqual(sameFailure(ALL_CALLS, { name, code: "some_code", sent: 1 }));
		for (const error of errors)
			expect(error).toMatchObject({ status, message: "Some message.", requestId: "req_hostile" });
	});

	it.each([
		[408, "ApiError", 1],
		[429, "RateLimitError", 3],
		[502, "ServerError", 1],
		[503, "ServerError", 3],
		[504, "ServerError", 1],
	])("%i is tried again where that does no harm", async (status, name, sentWhenPaid) => {
		const { byCall } = await failCalls(fixture(), { kind: "status", status, body: "api-error" }, ALL_CALLS);
		const failure = { name, code: "some_code" };
		expect(byCall).toEqual({
			...sameFailure(RETRIED, { ...failure, sent: 3 }),
			...sameFailure(PAID_CALLS, { ...failure, sent: sentWhenPaid }),
		});
	});

	it.each<BodyName | undefined>([undefined, "html", "garbage", "half-json"])(
		"with a body that says nothing (%s) points to `baseUrl`",
		async (body) => {
			const behaviour = { kind: "status", status: 500, ...(body === undefined ? {} : { body }) } as const;
			const { byCall, errors } = await failCalls(fixture(), behaviour, ALL_CALLS);
			expect(byCall).toEqual(sameFailure(ALL_CALLS, { name: "ServerError", code: "http_500", sent: 1 }));
			for (const error of errors) {
				expect(error.message).toMatch(/HTTP 500/);
				expect(error.hint).toMatch(/`baseUrl`/);
			}
		},
	);

	it("is known by its status whatever its body is made of", async () => {
		for (const text of ["null", "[]", '"text"', '{"error":null}', '{"error":[1]}', '{"error":{"code":7}}']) {
			const behaviour = { kind: "status", status: 404, body: { text } } as const;
			for (const { name, code } of (await failCalls(fixture(), behaviour, REPEATABLE_CALLS)).errors)
				expect([name, code]).toEqual(["NotFoundError", "http_404"]);
		}
	});

	it("has a message that fits into a log, however long the body is", async () => {
		const { errors } = await failCalls(
			fixture(),
			{ kind: "status", status: 500, body: "huge" },
			REPEATABLE_CALLS,
		);
		for (const { message } of errors) expect(message.length).toBeLessThan(10_000);
	});
});

describe("a success that is none", () => {
	it.each([
		["204", { status: 204 }],
		["205", { status: 205 }],
		["no body", { status: 200 }],
		["a page", { status: 200, body: "html" }],
		["bytes", { status: 200, body: "garbage" }],
	] as const)("%s points to `baseUrl`", async (_, answer) => {
		const { "chat.stream": _chat, ...calls } = ALL_CALLS;
		const { byCall, errors } = await failCalls(fixture(), { kind: "status", ...answer }, calls);
		expect(byCall).toEqual(sameFailure(calls, { name: "ApiError", code: "invalid_response", sent: 1 }));
		for (const error of errors)
			expect(error).toMatchObject({ hint: expect.stringMatching(/`baseUrl`/), requestId: "req_hostile" });
	});

	const ODD = [
		["half a JSON", "half-json"],
		["null", { text: "null" }],
		["a list", { text: "[]" }],
	] as const;

	it.each(ODD)("%s points to `baseUrl`", async (_, body) => {
		const { "chat.stream": _chat, ...paid } = PAID_CALLS;
		const calls = { ...REPEATABLE_CALLS, ...paid };
		const { byCall } = await failCalls(fixture(), { kind: "status", status: 200, body }, calls);
		expect(byCall).toEqual(sameFailure(calls, { name: "ApiError", code: "invalid_response", sent: 1 }));
	});

	it.each(ODD)("%s is no run, and is not asked for again and again", async (_, body) => {
		const { byCall } = await failCalls(fixture(), { kind: "status", status: 200, body }, RUN_CALLS);
		expect(byCall).toEqual(sameFailure(RUN_CALLS, { name: "ApiError", code: "invalid_response", sent: 1 }));
	});

	it("JSON where chunks were asked for is not taken for a reply that broke off", async () => {
		const behaviour = { kind: "status", status: 200, body: { text: "{}" } } as const;
		const { byCall } = await failCalls(fixture(), behaviour, {
			"chat.stream": PAID_CALLS["chat.stream"] as never,
		});
		expect(byCall["chat.stream"]?.code).toBe("invalid_response");
	});

	it("JSON that names no run is not started again and again", async () => {
		const behaviour = { kind: "status", status: 200, body: { text: "{}" } } as const;
		const { byCall } = await failCalls(fixture(), behaviour, { run: RUN_CALLS["agents.run"] as never });
		expect(byCall.run).toEqual({ name: "ApiError", code: "invalid_response", sent: 1 });
	});
});

describe("a redirect to another origin", () => {
	let other: OtherOrigin;
	afterEach(() => other.close());

	it.each([300, 301, 302, 303, 305, 307, 308])("%i is not followed", async (status) => {
		other = await startOtherOrigin();
		const headers = { location: `${other.origin}/v1/take` };
		const { byCall, errors } = await failCalls(fixture(), { kind: "status", status, headers }, ALL_CALLS);
		expect(byCall).toEqual(sameFailure(ALL_CALLS, { name: "ConnectionError", code: "redirected", sent: 1 }));
		for (const { message, hint } of errors) expect(`${message} ${hint}`).toMatch(/redirect.*`baseUrl`/);
		expect(other.requests).toEqual([]);
	});

	it("is not followed by the token endpoint, a rejoin, a cancel or a runtime", async () => {
		other = await startOtherOrigin();
		const { server, serverClient, connection, client } = fixture();
		const behaviour = { kind: "status", status: 307, headers: { location: `${other.origin}/take` } } as const;
		server.setDefault("token", behaviour);
		const started = REPEATABLE_CALLS.search?.start(serverClient()) ?? Promise.reject();
		expect(await catchError(started)).toMatchObject({ code: "redirected" });

		server.enqueue("run", { kind: "events", maxEvents: 2 });
		server.setDefault("events", behaviour);
		expect(await catchError(RUN_CALLS["agents.run"]?.start(client()) ?? Promise.reject())).toMatchObject({
			code: "redirected",
		});

		server.setDefault("cancel", behaviour);
		expect(await catchError(runs(client()).cancel("run_1"))).toMatchObject({ code: "redirected" });

		server.setDefault("run", behaviour);
		server.setDefault("health", behaviour);
		const calls = [runtime(connection()).run("desk", INPUT), runtime(connection()).health()];
		for (const call of calls) expect(await catchError(call)).toMatchObject({ code: "redirected" });
		expect(other.requests).toEqual([]);
	});
});

describe("`retry-after`", () => {
	const later = (milliseconds: number) => new Date(Date.now() + milliseconds).toUTCString();
	it.each<readonly [string, () => string, number, readonly [number, number]]>([
		["seconds", () => "1", 3, [1000, 1300]],
		["nothing", () => "", 3, [0, 500]],
		["none", () => "0", 3, [0, 500]],
		["a date in the past", () => "Wed, 21 Oct 2015 07:28:00 GMT", 3, [0, 500]],
		["garbage", () => "soon", 3, [0, 500]],
		["less than none", () => "-5", 3, [0, 500]],
		["a date far away", () => later(3_600_000), 1, [0, 500]],
		["more than anyone waits for", () => "31", 1, [0, 500]],
		["a number without end", () => "9".repeat(400), 1, [0, 500]],
	])("%s", async (_, header, sent, [min, max]) => {
		const timers = vi.spyOn(globalThis, "setTimeout");
		const { byCall, errors } = await failCalls(
			fixture(),
			{ kind: "status", status: 429, body: "api-error", headers: { "retry-after": header() } },
			{ ...REPEATABLE_CALLS, ...PAID_CALLS },
		);
		const delays = timers.mock.calls.map(([, delayMs = 0]) => delayMs);
		timers.mockRestore();
		expect(Object.values(byCall).map((failure) => failure.sent)).toEqual(Object.keys(byCall).map(() => sent));
		// Longer ones are those of timeouts.
		const longestPause = Math.max(0, ...delays.filter((delayMs) => delayMs < 2000));
		expect(longestPause).toBeGreaterThanOrEqual(min);
		expect(longestPause).toBeLessThanOrEqual(max);
		expect(errors.every(isStemmaError)).toBe(true);
	});

	it("is waited for no longer than the call may take", async () => {
		const behaviour = { kind: "status", status: 503, headers: { "retry-after": "29" } } as const;
		const startedAt = performance.now();
		const calls = { ...REPEATABLE_CALLS, ...PAID_CALLS };
		const { byCall } = await failCalls(fixture(), behaviour, calls, { timeouts: { timeoutMs: 2_000 } });
		expect(byCall).toEqual(sameFailure(calls, { name: "TimeoutError", code: "total_timeout", sent: 1 }));
		expect(performance.now() - startedAt).toBeLessThan(20_000);
	});
});
