import { Readable } from "node:stream";
import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import {
	ApiError,
	AuthenticationError,
	agents,
	apiClients,
	ask,
	ConflictError,
	ConnectionError,
	createClient,
	InvalidRequestError,
	isStemmaError,
	knowledge,
	NotConfiguredError,
	NotFoundError,
	PermissionError,
	RateLimitError,
	runs,
	runtimeAgents,
	ServerError,
	Stemma,
	TimeoutError,
} from "../index";
import { CLIENT_KEY, clientOf, useTestServer } from "../test-support/test-client";
import {
	closeConnection,
	createTestServer,
	neverRespond,
	type RequestHandler,
	respondWithError,
	respondWithJson,
	sendError,
	sendJson,
	type TestServer,
} from "../test-support/test-server";

const server = useTestServer();
const thrown = (work: PromiseLike<unknown>): Promise<unknown> =>
	Promise.resolve(work).then(
		() => expect.unreachable(),
		(error: unknown) => error,
	);

async function readAll(stream: AsyncIterable<unknown>): Promise<void> {
	for await (const _ of stream);
}

describe("requests", () => {
	it("carry the credential, the client's headers and the call's", async () => {
		server().on("GET /v1/runs/:id", respondWithJson({ id: "run_1", later: true }));
		const client = clientOf(server(), { headers: { "X-One": "1", "x-two": "2" }, depth: 3 });
		const run = await runs(client).get("run_1", { headers: { "x-two": "II" } });
		expect(run).toEqual({ id: "run_1", later: true });
		expect(run.requestId).toBe("req_1");
		expect(server().requests[0]?.headers).toMatchObject({
			authorization: `Bearer ${CLIENT_KEY}`,
			accept: "application/json",
			"x-one": "1",
			"x-two": "II",
			"stemma-depth": "3",
		});
	});

	it("escape ids, and refuse those that lead elsewhere", async () => {
		server().on("GET /v1/runs/:id", respondWithJson({ id: "x" }));
		await runs(clientOf(server())).get("../a b");
		expect(server().requests[0]?.path).toBe("/v1/runs/..%2Fa%20b");
	});

	it.each(["", ".", "..", "\ud800", undefined as unknown as string])(
		"are not sent for an id that is none or leads elsewhere, %j: whatever gives a promise rejects",
		async (id) => {
			const stemma = new Stemma({ clientKey: CLIENT_KEY, baseUrl: server().url });
			const input = { input: "" };
			const runtime = runtimeAgents({ baseUrl: server().url });
			for (const work of [
				stemma.runs.get(id),
				stemma.runs.cancel(id),
				stemma.agents.get(id),
				stemma.agents.replace(id, { graph: { nodes: [], edges: [] } as never }),
				stemma.agents.delete(id),
				stemma.agents.run(id, input),
				stemma.agents.start(id, input),
				stemma.knowledge.update(id, {}),
				stemma.knowledge.documents.get("kb_1", id),
				stemma.knowledge.documents.get(id, "doc_1"),
				stemma.knowledge.documents.list(id),
				stemma.knowledge.documents.upload(id, { file: new Blob(["a"]), name: "a.md" }),
				stemma.apiClients.rotate(id),
				runtime.run(id, input),
				runtime.runs.cancel(id),
				// Streams fail when they are read.
				readAll(stemma.runs.stream(id)),
				readAll(stemma.agents.stream(id, input)),
				stemma.agents.stream(id, input).result(),
				readAll(runtime.stream(id, input)),
				readAll(runtime.runs.stream(id)),
			])
				expect(await thrown(work)).toMatchObject({
					name: "ConfigurationError",
					message: expect.stringMatching(/^An id is missing/),
				});
			expect(server().requests).toHaveLength(0);
		},
	);

	it("go through the `fetch` of the moment, with a text for an address", async () => {
		let seen: unknown[] = [];
		const fetch = async (...all: unknown[]) => {
			seen = all;
			return new Response('{"id":"run_9"}');
		};
		const client = createClient({ clientKey: CLIENT_KEY, baseUrl: "https://a.example/base/", fetch });
		expect((await runs(client).get("run_9")).id).toBe("run_9");
		expect(seen[0]).toBe("https://a.example/base/v1/runs/run_9");
	});

	it("say so when something else than the service answers", async () => {
		server().on("GET /v1/runs/:id", (_, response) => void response.end("<html>"));
		const error = await thrown(runs(clientOf(server())).get("run_1"));
		expect(error).toSatisfy(ApiError.is);
		expect(error).toMatchObject({ code: "invalid_response", status: 200, requestId: "req_1" });
	});
});

describe("errors", () => {
	it.each([
		[400, InvalidRequestError],
		[401, AuthenticationError],
		[403, PermissionError],
		[404, NotFoundError],
		[409, ConflictError],
		[410, ApiError],
		[422, InvalidRequestError],
		[429, RateLimitError],
		[500, ServerError],
		[501, NotConfiguredError],
		[503, ServerError],
	])("%i", async (status, ErrorClass) => {
		const wire = { code: "some_code", message: "No.", hint: "Do.", param: "a.b", details: { id: "x" } };
		server().on("GET /v1/runs/:id", respondWithError(status, wire, { "retry-after": "7" }));
		const error = await thrown(runs(clientOf(server(), { maxRetries: 0 })).get("run_1"));
		expect(error).toSatisfy(ErrorClass.is);
		expect(error).toBeInstanceOf(ErrorClass);
		expect(error).toSatisfy(isStemmaError);
		expect(error).toMatchObject({
			...wire,
			status,
			requestId: "req_1",
			retryAfterMs: 7000,
			name: ErrorClass.name,
		});
		expect(JSON.parse(JSON.stringify(error))).toMatchObject({ ...wire, status });
	});

	it("reads answers that are not the service's own", async () => {
		server().on("GET /v1/runs/:id", (_, response) => void response.writeHead(418).end("<h1>teapot"));
		const error = await thrown(runs(clientOf(server())).get("run_1"));
		expect(error).toMatchObject({ code: "http_418", status: 418, hint: expect.stringContaining("baseUrl") });
	});

	it("never show the credential", async () => {
		server().on("GET /v1/runs/:id", ({ headers }, response) =>
			sendError(response, 403, { code: "no", message: `You sent ${headers.authorization}` }),
		);
		const error = await thrown(runs(clientOf(server())).get("run_1"));
		expect(inspect(error)).toContain("Bearer [redacted]");
		expect(`${inspect(error)}${JSON.stringify(error)}`).not.toContain("topsecret");
	});

	it.each<readonly [string, string | undefined, string | undefined, string]>([
		["the header", "req_A.b-1", undefined, "req_A.b-1"],
		["the header before the body", "req_1", "req_2", "req_1"],
		["the body where there is no header", undefined, "req_2", "req_2"],
		["nothing that is longer than 100 characters", "r".repeat(101), undefined, ""],
		["nothing that has other characters", "req 1", "req<1>", ""],
		["nothing that is a credential", CLIENT_KEY, CLIENT_KEY, ""],
		["nothing that has a credential in it", `req_${CLIENT_KEY}_1`, `req_${CLIENT_KEY}`, ""],
	])("take for the id of the request %s", async (_, header, request_id, requestId) => {
		server().on("GET /v1/runs/:id", (_, response) => {
			response.removeHeader("x-request-id");
			if (header !== undefined) response.setHeader("x-request-id", header);
			sendJson(response, { error: { code: "no", request_id } }, 404);
		});
		const lines: string[] = [];
		const logger = { debug: (line: string) => void lines.push(line), warn: () => undefined };
		const error = await thrown(runs(clientOf(server(), { logger })).get("run_1"));
		expect(error).toMatchObject({ status: 404, requestId });
		expect(lines).toEqual([expect.stringMatching(`: 404 ${header === undefined ? "" : requestId} after`)]);
	});

	it("never show a credential that is written with escapes, wherever it stands", async () => {
		const escaped = [...CLIENT_KEY].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join("");
		const body = `{"error":{"code":"c","message":"${escaped}","details":{"echo":[{"deep":"a ${escaped}"}],"n":1}}}`;
		server().on("GET /v1/runs/:id", (_, response) => void response.writeHead(400).end(body));
		expect(await thrown(runs(clientOf(server())).get("run_1"))).toMatchObject({
			message: "[redacted]",
			details: { echo: [{ deep: "a [redacted]" }], n: 1 },
		});
	});

	it("never show the token of a run", async () => {
		server().on("GET /v1/runs/:id", ({ headers }, response) =>
			sendError(response, 403, { code: "no", message: `You sent ${headers["stemma-run-token"]}.` }),
		);
		const failed = runs(clientOf(server())).get("run_1", { run_token: "rt_topsecret" });
		expect(await thrown(failed)).toMatchObject({ message: "You sent [redacted]." });
	});

	it("are read as far as anyone reads, however long they are", async () => {
		const chunk = "x".repeat(2 ** 16);
		let sent = 0;
		server().on("GET /v1/runs/:id", (_, response) => {
			function send(): void {
				while (sent < 2 ** 28 && response.write(chunk)) sent += chunk.length;
			}
			response.writeHead(500, { "content-type": "application/json" }).write('{"error":{"message":"');
			response.on("drain", send);
			send();
		});
		const failed = runs(clientOf(server(), { timeouts: { headersTimeoutMs: 10_000 } })).get("run_1");
		expect(await thrown(failed)).toMatchObject({ name: "ServerError", code: "http_500" });
		expect(sent).toBeLessThan(2 ** 25);
	});

	it("are read whole where a body cannot be read in pieces", async () => {
		const answer = { status: 404, ok: false, headers: new Headers() };
		const text = async () => '{"error":{"code":"gone"}}';
		for (const fetch of [
			async () => ({ ...answer, text }),
			async () => ({ ...answer, text, body: Readable.from([]) as never }),
		])
			expect(await thrown(runs(clientOf(server(), { fetch })).get("run_1"))).toMatchObject({ code: "gone" });
		vi.stubGlobal("TextDecoder", undefined);
		const fetch = async () => new Response(await text(), { status: 404 });
		const error = await thrown(runs(clientOf(server(), { fetch })).get("run_1"));
		vi.unstubAllGlobals();
		expect(error).toMatchObject({ code: "gone" });
	});

	const under = (fields: object): Error => Object.assign(new Error("m"), { code: "ECONNRESET" }, fields);
	it.each<readonly [string, boolean, object]>([
		["a code alone", true, {}],
		["what systems tell", true, { errno: -1, syscall: "connect", address: "::1", port: 1 }],
		["several addresses", true, { errors: [under({}), under({})] }],
		["what was received", false, { data: "HTTP/1.1 2" }],
		["it deeper down", false, { cause: under({ data: "x" }) }],
		["it among several", false, { errors: [under({}), under({ data: "x" })] }],
		["a credential deeper down", false, { cause: new Error(CLIENT_KEY) }],
	])("keep a cause that has no more than a network's error: %s, %s", async (_, isPreserved, fields) => {
		const cause = new TypeError("fetch failed", { cause: under(fields) });
		const fetch = () => Promise.reject(cause);
		const error = await thrown(runs(clientOf(server(), { fetch, maxRetries: 0 })).get("run_1"));
		expect(error).toSatisfy(ConnectionError.is);
		expect((error as Error).cause).toBe(isPreserved ? cause : undefined);
	});

	it("keep no cause that leads to itself", async () => {
		const cause = new TypeError("fetch failed");
		cause.cause = cause;
		const fetch = () => Promise.reject(cause);
		const error = await thrown(runs(clientOf(server(), { fetch, maxRetries: 0 })).get("run_1"));
		expect(error).toSatisfy(ConnectionError.is);
		expect((error as Error).cause).toBeUndefined();
	});

	it("name the address that cannot be reached", async () => {
		const { url } = server();
		await server().close();
		const client = createClient({ clientKey: CLIENT_KEY, baseUrl: url, maxRetries: 0 });
		const error = await thrown(runs(client).get("run_1"));
		expect(error).toSatisfy(ConnectionError.is);
		expect(error).toMatchObject({ code: "connection_failed", message: expect.stringContaining(url) });
		expect((error as Error).cause).toBeDefined();
	});
});

describe("a redirect", () => {
	const routes = [
		"POST /oauth/token",
		"GET /v1/runs/:id",
		"POST /v1/knowledge-bases",
		"POST /v1/ask",
		"POST /v1/agents/:id/run",
	];
	function redirectTo(to: TestServer): void {
		for (const route of routes)
			server().on(route, ({ path }, response) => {
				response.writeHead(307, { location: `${to.url}${path}` }).end();
			});
	}

	it.each([
		["a client id and secret", { clientId: "cl_1", clientSecret: "topsecret" }],
		["a client key", { clientKey: CLIENT_KEY }],
	])("is not followed with %s, nor tried again", async (_, credential) => {
		const other = await createTestServer();
		redirectTo(other);
		const client = createClient({ ...credential, baseUrl: server().url, retryDelayMs: 5 });
		for (const call of [
			() => runs(client).get("run_1"),
			() => knowledge(client).create({ name: "A" }),
			() => ask(client)({ question: "?", knowledge_base_ids: ["kb_1"] }),
			() => agents(client).run("desk", { input: "" }),
		]) {
			const before = server().requests.length + server().tokenRequests.length;
			const error = await thrown(call());
			expect(error).toSatisfy(ConnectionError.is);
			expect(error).toMatchObject({
				code: "redirected",
				message: expect.stringContaining("answers with a redirect, which is not followed"),
				hint: expect.stringContaining("`baseUrl`"),
			});
			expect(server().requests.length + server().tokenRequests.length).toBe(before + 1);
		}
		expect(other.requests.length + other.tokenRequests.length).toBe(0);
		await other.close();
	});

	it("is known in browsers, which hide it", async () => {
		const hidden = {
			type: "opaqueredirect",
			status: 0,
			ok: false,
			headers: new Headers(),
			text: async () => "",
		};
		const fetch = vi.fn(async () => hidden);
		const client = createClient({
			clientKey: CLIENT_KEY,
			baseUrl: "https://a.example",
			retryDelayMs: 5,
			fetch,
		});
		expect(await thrown(runs(client).get("run_1"))).toMatchObject({ code: "redirected" });
		expect(fetch).toHaveBeenCalledTimes(1);
	});
});

describe("retries", () => {
	const kb = { id: "kb_1" };

	it.each([408, 429, 502, 503, 504])("after %i, with the same idempotency key", async (status) => {
		const reject = respondWithError(status, { code: "x" });
		server().sequence("POST /v1/knowledge-bases", reject, reject, respondWithJson(kb, 201));
		expect(await knowledge(clientOf(server())).create({ name: "A" })).toEqual(kb);
		const keys = server().requests.map(({ headers }) => headers["idempotency-key"]);
		expect(keys).toHaveLength(3);
		expect(new Set(keys).size).toBe(1);
		expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
	});

	it("after a lost connection, also half-way through the answer", async () => {
		server().sequence(
			"POST /v1/knowledge-bases",
			closeConnection,
			(_, response) => {
				response.writeHead(201, { "content-type": "application/json", "content-length": "100" });
				response.write('{"id"');
				setTimeout(() => response.socket?.destroy(), 20);
			},
			respondWithJson(kb, 201),
		);
		expect(await knowledge(clientOf(server())).create({ name: "A" })).toEqual(kb);
		expect(new Set(server().requests.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
	});

	it("use another key for another call, and the caller's own", async () => {
		server().on("POST /v1/knowledge-bases", respondWithJson(kb, 201));
		const { create } = knowledge(clientOf(server()));
		await create({ name: "A" });
		await create({ name: "A" });
		await create({ name: "A" }, { idempotencyKey: "mine" });
		const keys = server().requests.map(({ headers }) => headers["idempotency-key"]);
		expect(new Set(keys).size).toBe(3);
		expect(keys[2]).toBe("mine");
		await expect(create({ name: "A" }, { idempotencyKey: "é" })).rejects.toThrow(/`idempotencyKey`/);
	});

	it("end, with the last error", async () => {
		server().on("GET /v1/runs/:id", respondWithError(503, { code: "shutting_down" }));
		const error = await thrown(runs(clientOf(server(), { maxRetries: 1 })).get("run_1"));
		expect(error).toMatchObject({ code: "shutting_down" });
		expect(server().requests).toHaveLength(2);
	});

	it.each([400, 401, 403, 404, 409, 422, 500, 501])("are not made after %i", async (status) => {
		server().on("GET /v1/runs/:id", respondWithError(status, { code: "x" }));
		await thrown(runs(clientOf(server())).get("run_1"));
		expect(server().requests).toHaveLength(1);
	});

	it("wait as long as the service asks, but not for ever", async () => {
		server().sequence(
			"GET /v1/runs/:id",
			respondWithError(429, { code: "rate_limited" }, { "retry-after": "0.2" }),
			respondWithError(429, { code: "budget_exhausted" }, { "retry-after": "3600" }),
		);
		const before = performance.now();
		const error = await thrown(runs(clientOf(server())).get("run_1"));
		expect(performance.now() - before).toBeGreaterThanOrEqual(190);
		expect(error).toMatchObject({ code: "budget_exhausted", retryAfterMs: 3_600_000 });
		expect(server().requests).toHaveLength(2);
	});

	it.each([
		["made anew for each try", 9, 202, "hello"],
		["not made where that cannot be done: the first error counts", 1, 503, undefined],
	])("send a body that is made as it is sent: %s", async (_, max, status, sent) => {
		server().sequence(
			"POST /v1/files",
			respondWithError(503, { code: "shutting_down" }),
			respondWithJson({ id: "doc_1" }, 202),
		);
		let opened = 0;
		const open = (): ReadableStream<Uint8Array> => {
			opened += 1;
			if (opened > max) throw new Error("It can be read once.");
			return new Blob(["hello"]).stream();
		};
		const stream = { type: "text/plain", open };
		const answered = clientOf(server()).request({ method: "POST", path: "/v1/files", stream });
		if (status === 202) expect(await answered).toEqual({ id: "doc_1" });
		else expect(await thrown(answered)).toMatchObject({ status, code: "shutting_down" });
		expect(server().requests[0]?.headers["content-type"]).toBe("text/plain");
		expect(server().requests[0]?.body.toString()).toBe("hello");
		expect(server().requests[1]?.body.toString()).toBe(sent);
	});

	it.each<readonly [string, RequestHandler, object]>([
		["is down", closeConnection, { code: "connection_failed" }],
		["is overloaded", respondWithError(503, { code: "shutting_down" }), { code: "shutting_down" }],
	])("are not made of what the token endpoint has tried: it %s", async (_, answer, expected) => {
		server().on("POST /oauth/token", answer);
		const options = { clientId: "cl_1", clientSecret: "topsecret", baseUrl: server().url, retryDelayMs: 2 };
		expect(await thrown(runs(createClient(options)).get("run_1"))).toMatchObject(expected);
		expect([server().tokenRequests.length, server().requests.length]).toEqual([3, 0]);
	});

	it("are not made where a second call would do harm", async () => {
		server().on("POST /v1/clients/:id/rotate", closeConnection);
		expect(await thrown(apiClients(clientOf(server())).rotate("cl_1"))).toSatisfy(ConnectionError.is);
		expect(server().requests).toHaveLength(1);
	});
});

describe("deadlines", () => {
	it("headersTimeoutMs", async () => {
		server().on("GET /v1/runs/:id", neverRespond);
		const error = await thrown(runs(clientOf(server(), { timeouts: { headersTimeoutMs: 50 } })).get("run_1"));
		expect(error).toSatisfy(TimeoutError.is);
		expect(error).toMatchObject({ code: "headers_timeout", timeout: "headersTimeoutMs", timeoutMs: 50 });
	});

	it("headersTimeoutMs of the call, for its token", async () => {
		server().on("POST /oauth/token", neverRespond);
		const options = { clientId: "cl_1", clientSecret: "topsecret", baseUrl: server().url };
		const failed = runs(createClient(options)).get("run_1", { timeouts: { headersTimeoutMs: 50 } });
		expect(await thrown(failed)).toMatchObject({ code: "headers_timeout", timeoutMs: 50 });
	});

	it("headersTimeoutMs, until the JSON is whole", async () => {
		server().on("GET /v1/runs/:id", (_, response) => {
			response.writeHead(200, { "content-type": "application/json" });
			response.write('{"id":');
		});
		const error = await thrown(runs(clientOf(server())).get("run_1", { timeouts: { headersTimeoutMs: 50 } }));
		expect(error).toMatchObject({ code: "headers_timeout" });
	});

	it("timeoutMs, over all tries", async () => {
		server().on("GET /v1/runs/:id", respondWithError(503, { code: "shutting_down" }, { "retry-after": "5" }));
		const error = await thrown(runs(clientOf(server())).get("run_1", { timeouts: { timeoutMs: 80 } }));
		expect(error).toMatchObject({ code: "total_timeout", timeout: "timeoutMs", timeoutMs: 80 });
	});
});

describe("an abort", () => {
	it("rethrows the signal's reason", async () => {
		server().on("GET /v1/runs/:id", neverRespond);
		const controller = new AbortController();
		const reason = new Error("enough");
		const failed = thrown(runs(clientOf(server())).get("run_1", { signal: controller.signal }));
		setTimeout(() => controller.abort(reason), 20);
		expect(await failed).toBe(reason);
	});

	it("is an AbortError where signals have no reason", async () => {
		server().on("GET /v1/runs/:id", neverRespond);
		const controller = new AbortController();
		Object.defineProperty(controller.signal, "reason", { value: undefined });
		const failed = thrown(runs(clientOf(server())).get("run_1", { signal: controller.signal }));
		setTimeout(() => controller.abort(), 20);
		expect(await failed).toMatchObject({ name: "AbortError" });
	});

	it("before the call sends nothing", async () => {
		const failed = await thrown(runs(clientOf(server())).get("run_1", { signal: AbortSignal.abort("no") }));
		expect(failed).toBe("no");
		expect(server().requests).toHaveLength(0);
	});
});
