import { inspect } from "node:util";
import { agents, ask, runs, search } from "@stemma/client";
import type { Behaviour } from "@stemma/simulators/hostile";
import { describe, expect, it } from "vitest";
import { ALL_CALLS, INPUT, REPEATABLE_CALLS, readAll, runtime } from "./calls";
import { CANARY, CLIENT_KEY, CLIENT_SECRET, RUNTIME_TOKEN } from "./credentials";
import { failCalls } from "./fail-calls";
import { findSecrets } from "./find-secrets";
import { catchError, useServerFixture } from "./server-fixture";

const fixture = useServerFixture();
const STREAM = { kind: "events" } as const;
const QUERY = { query: "q", knowledge_base_ids: ["kb_1"] };
const CHUNKED = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
const ASK = { question: "How long?", knowledge_base_ids: ["kb_1"] };

/** Every failure passes through `catchError`, which finds secrets; so does all that is logged, after each test. */
describe("a server that repeats what it was sent", () => {
	it("would be found: the search for secrets finds them", () => {
		const cause = Object.assign(new Error("x"), { data: `Bearer ${CLIENT_KEY}` });
		expect(findSecrets(new Error("y", { cause }))).not.toEqual([]);
		expect(findSecrets({ deep: { deep: { deep: { deep: [CLIENT_SECRET] } } } })).not.toEqual([]);
		expect(findSecrets(new Error("Nothing."))).toEqual([]);
	});

	/** Of a client key, an access token and a runtime's token. */
	async function fail(behaviour: Behaviour): Promise<void> {
		const { server, serverClient, connection } = fixture();
		await failCalls(fixture(), behaviour, ALL_CALLS);
		server.setDefault("health", behaviour);
		await catchError(search(serverClient())(QUERY));
		await catchError(runtime(connection()).health());
	}

	it("in the fields of an error is not quoted", async () => {
		await fail({ kind: "status", status: 500, body: "echo" });
	});

	it.each<readonly [string, Behaviour]>([
		["escaped, in the fields of an error", { kind: "status", status: 400, body: "escaped-echo" }],
		["in the id of an error's request", { kind: "status", status: 500, body: "header-echo" }],
		["in what is no HTTP", { kind: "raw", text: "{authorization}\r\n\r\n" }],
		["in a header that is none", { kind: "raw", text: "HTTP/1.1 200 OK\r\nbad {authorization}\r\n\r\n" }],
		["in a chunk that is none", { kind: "raw", text: `${CHUNKED}zz{authorization}\r\n` }],
	])("%s is not quoted", async (_, behaviour) => {
		await fail(behaviour);
	});

	it("in the id of a request is not logged", async () => {
		const { server, client } = fixture();
		server.setDefault("search", { kind: "status", status: 200, body: "header-echo" });
		await search(client())(QUERY);
	});

	it.each([401, 500])("in the token endpoint's id of a request is not quoted: %i", async (status) => {
		const { server, serverClient } = fixture();
		server.setDefault("token", {
			kind: "status",
			status,
			headers: { "x-request-id": `You sent ${CLIENT_SECRET}` },
		});
		await catchError(search(serverClient())(QUERY));
	});

	it("tells nothing of a client secret that the token endpoint repeats", async () => {
		const { server, serverClient } = fixture();
		const echo = `You sent ${CLIENT_SECRET}`;
		const text = JSON.stringify({ error: "invalid_client", error_description: echo });
		server.setDefault("token", {
			kind: "status",
			status: 401,
			body: { text },
		});
		const error = await catchError(search(serverClient())(QUERY));
		expect(error).toMatchObject({ name: "AuthenticationError", code: "invalid_client" });
	});

	it("tells nothing of a run's token", async () => {
		const { server, client } = fixture();
		server.setDefault("run", { ...STREAM, maxEvents: 2, ending: "reset" });
		server.setDefault("events", { kind: "status", status: 403, body: "echo" });
		server.setDefault("cancel", { kind: "status", status: 403, body: "echo" });
		const stream = agents(client()).stream("desk", INPUT);
		await catchError(stream.result());
		await catchError(runs(client()).cancel("run_1", { run_token: stream.run_token }));
	});

	it("tells nothing in what went wrong half-way", async () => {
		const { server, client } = fixture();
		const error = { code: "c", message: `You sent Bearer ${CLIENT_KEY}`, hint: CLIENT_KEY };
		const base = { run_id: "run_1", at: "2026-01-01T00:00:00.000Z" };
		const result = { run_id: "run_1", status: "failed", output: null, error };
		server.setDefault("run", { ...STREAM, data: [{ ...base, type: "run.failed", seq: 1, result, error }] });
		server.setDefault("ask", { ...STREAM, data: [{ type: "ask.failed", seq: 1, error }] });
		await catchError(ask(client())(ASK));
		await catchError(agents(client()).run("desk", INPUT));
	});
});

describe("a token that cannot be one", () => {
	it.each([
		["a line break", "at\nhostile_secret"],
		["a letter that headers cannot have", "at_hostile_secret_€"],
		["nothing", ""],
	])("%s is refused, and not quoted", async (_, access_token) => {
		const { server, serverClient } = fixture();
		server.setDefault("token", {
			kind: "status",
			status: 200,
			body: { text: JSON.stringify({ access_token }) },
		});
		const error = await catchError(search(serverClient())(QUERY));
		expect(error).toMatchObject({ code: "invalid_response", message: expect.stringMatching(/token/) });
		expect(server.requests.map(({ route }) => route)).toEqual(["token"]);
	});
});

describe("what is printed of a client", () => {
	it("has no secret, however deep one looks, before and after calls", async () => {
		const { client, serverClient, connection } = fixture();
		const all = [client(), serverClient(), runtime(connection())];
		for (const call of Object.values(REPEATABLE_CALLS))
			for (const one of all.slice(0, 2)) await call.start(one as never);
		const stream = agents(client()).stream("desk", INPUT);
		expect(findSecrets([...(await readAll(stream)), await stream.result()])).toEqual([]);
		expect(inspect(stream)).not.toContain(CANARY);
		expect(stream.run_token).toContain(CANARY);
		for (const one of all) {
			expect(findSecrets(one)).toEqual([]);
			expect(inspect(one, { depth: null, showHidden: true, getters: true })).not.toContain(CANARY);
		}
		expect(RUNTIME_TOKEN).toContain(CANARY);
	});

	it("nor has a stream that is written as JSON", async () => {
		const stream = agents(fixture().client()).stream("desk", INPUT);
		await stream.result();
		expect(findSecrets(stream)).toEqual([]);
	});
});
