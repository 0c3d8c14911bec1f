import { agents, search } from "@stemma/client";
import type { Behaviour } from "@stemma/simulators/hostile";
import { describe, expect, it } from "vitest";
import { INPUT } from "./calls";
import { catchError, SHORT_TIMEOUTS, useServerFixture } from "./server-fixture";

const fixture = useServerFixture();
const QUERY = { query: "q", knowledge_base_ids: ["kb_1"] };
const grant = (fields: object): Behaviour => ({
	kind: "status",
	status: 200,
	body: { text: JSON.stringify({ access_token: "at_hostile_secret_0", token_type: "bearer", ...fields }) },
});
const routes = (): readonly (string | undefined)[] => fixture().server.requests.map(({ route }) => route);
const count = (route: string): number => routes().filter((one) => one === route).length;

describe("a token endpoint", () => {
	it.each<readonly [string, Behaviour, object]>([
		["is down", { kind: "reset", when: "before-headers" }, { code: "connection_failed" }],
		["breaks off", { kind: "reset", when: "in-body" }, { code: "connection_failed" }],
		["is slow", { kind: "silence", after: "request" }, { code: "headers_timeout" }],
		["drips", { kind: "drip", part: "body", everyMs: 20 }, { code: "headers_timeout" }],
		["answers with a page", { kind: "status", status: 200, body: "html" }, { code: "invalid_response" }],
		["answers with nothing", { kind: "status", status: 204 }, { code: "invalid_response" }],
		["gives no token", grant({ access_token: undefined }), { code: "invalid_response" }],
		["gives a token that is a number", grant({ access_token: 7 }), { code: "invalid_response" }],
		["refuses", { kind: "status", status: 401, body: "api-error" }, { name: "AuthenticationError" }],
		[
			"is not there",
			{ kind: "status", status: 404, body: "html" },
			{ name: "NotFoundError", code: "http_404" },
		],
		[
			"is overloaded",
			{ kind: "status", status: 503, body: "html" },
			{ name: "ServerError", code: "http_503" },
		],
	])("that %s fails the call, which is not sent", async (_, behaviour, expected) => {
		const { server, serverClient } = fixture();
		server.setDefault("token", behaviour);
		expect(await catchError(search(serverClient({ timeouts: SHORT_TIMEOUTS }))(QUERY))).toMatchObject(
			expected,
		);
		expect(count("search")).toBe(0);
	});

	it.each<readonly [string, Behaviour]>([
		["is down", { kind: "reset", when: "before-headers" }],
		["is overloaded", { kind: "status", status: 503 }],
	])("that %s is asked three times, not three times three", async (_, behaviour) => {
		const { server, serverClient } = fixture();
		server.setDefault("token", behaviour);
		await catchError(search(serverClient())(QUERY));
		expect(count("token")).toBe(3);
	});

	it("that is slow is waited for no longer than the call says", async () => {
		const { server, serverClient } = fixture();
		server.setDefault("token", { kind: "silence", after: "request" });
		const longTimeoutClient = serverClient({ timeouts: { headersTimeoutMs: 5000 } });
		expect(
			await catchError(search(longTimeoutClient)(QUERY, { timeouts: { headersTimeoutMs: 100 } })),
		).toMatchObject({ code: "headers_timeout", timeoutMs: 100 });
	});

	it("that fails is asked anew by the next call", async () => {
		const { server, serverClient } = fixture();
		server.enqueue("token", { kind: "status", status: 500 });
		const find = search(serverClient());
		await catchError(find(QUERY));
		expect(await find(QUERY)).toMatchObject({ passages: [] });
		expect(routes()).toEqual(["token", "token", "search"]);
	});

	it("is asked once for many calls at once", async () => {
		const find = search(fixture().serverClient());
		await Promise.all(Array.from({ length: 20 }, () => find(QUERY)));
		expect([count("token"), count("search")]).toEqual([1, 20]);
	});

	it.each<readonly [string, unknown]>([
		["nothing", undefined],
		["a day", 86_400],
		["for ever", 1e300],
		["a text that is a number", "900"],
		["none at all", 0],
		["less than none", -5],
		["a text", "soon"],
		["null", null],
		["an object", {}],
	])("that says %s of a token's life is not asked again for each call", async (_, expires_in) => {
		const { server, serverClient } = fixture();
		server.setDefault("token", grant({ expires_in }));
		const find = search(serverClient());
		for (let call = 0; call < 3; call++) await find(QUERY);
		expect([count("token"), count("search")]).toEqual([1, 3]);
	});
});

describe("a token that is revoked", () => {
	it("is replaced once, for many calls at once", async () => {
		const { server, serverClient } = fixture();
		const find = search(serverClient());
		await find(QUERY);
		server.revokeCredentials();
		await Promise.all(Array.from({ length: 10 }, () => find(QUERY)));
		expect(count("token")).toBe(2);
	});

	it("is an error when the next one is refused, too", async () => {
		const { server, serverClient } = fixture();
		server.setDefault("search", { kind: "status", status: 401, body: "api-error" });
		expect(await catchError(search(serverClient())(QUERY))).toMatchObject({ name: "AuthenticationError" });
		expect(routes()).toEqual(["token", "search", "token", "search"]);
	});

	it("in the middle of a stream is replaced for the rejoin", async () => {
		const { server, serverClient } = fixture();
		server.enqueue("run", { kind: "events", maxEvents: 2, ending: "silence" });
		const call = agents(serverClient({ timeouts: SHORT_TIMEOUTS })).run("desk", INPUT);
		await expect.poll(() => server.runs.length, { interval: 5 }).toBe(1);
		server.revokeCredentials();
		expect((await call).output).toBe("It takes five days.");
		expect(routes()).toEqual(["token", "run", "events", "token", "events"]);
	});

	it("in the middle of a stream is replaced for the cancel", async () => {
		const { server, serverClient } = fixture();
		server.enqueue("run", { kind: "events", maxEvents: 2, ending: "silence" });
		const stream = agents(serverClient({ timeouts: SHORT_TIMEOUTS })).stream("desk", INPUT);
		for await (const event of stream) if (event.seq === 2) break;
		server.revokeCredentials();
		stream.cancel();
		await expect.poll(() => server.runs[0]?.isCancelled).toBe(true);
		expect((await stream.result()).status).toBe("cancelled");
	});

	it("that cannot be replaced ends the stream with an error: a client key", async () => {
		const { server, client, logged } = fixture();
		server.enqueue("run", { kind: "events", maxEvents: 2, ending: "silence" });
		const stream = agents(client({ timeouts: SHORT_TIMEOUTS })).stream("desk", INPUT);
		for await (const event of stream) if (event.seq === 2) break;
		server.revokeCredentials();
		stream.cancel();
		expect(await catchError(stream.result())).toMatchObject({ name: "AuthenticationError", status: 401 });
		expect(logged.some((line) => /could not be cancelled/.test(line))).toBe(true);
	});
});
