import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
	AuthenticationError,
	type ConnectionOptions,
	createClient,
	health,
	runs,
	ServerError,
	TimeoutError,
} from "../index";
import { useTestServer } from "../test-support/test-client";
import {
	closeConnection,
	neverRespond,
	type RequestHandler,
	respondWithError,
	respondWithHtml,
	respondWithJson,
	respondWithTokens,
	sendJson,
} from "../test-support/test-server";

const server = useTestServer();
const SECRET = "topsecretclientsecret";

const connect = (options: ConnectionOptions = {}) =>
	runs(
		createClient({
			clientId: "cl_1",
			clientSecret: SECRET,
			baseUrl: server().url,
			retryDelayMs: 5,
			...options,
		}),
	);

it("the secret is not quoted before any token was needed", async () => {
	server().on("GET /readyz", respondWithError(503, { code: "c", message: `You have ${SECRET}.` }));
	const options = { clientId: "cl_1", clientSecret: SECRET, baseUrl: server().url };
	const failed = health(createClient(options)).ready();
	await expect(failed).rejects.toMatchObject({ message: "You have [redacted]." });
	expect(server().tokenRequests).toHaveLength(0);
});

describe("access tokens", () => {
	it("are fetched once for all calls, when first needed", async () => {
		server().on("POST /oauth/token", respondWithTokens());
		server().on("GET /v1/runs/:id", respondWithJson({ id: "run_1" }));
		const client = connect();
		expect(server().tokenRequests).toHaveLength(0);
		await Promise.all(Array.from({ length: 10 }, () => client.get("run_1")));
		await client.get("run_1");
		expect(server().tokenRequests).toHaveLength(1);
		expect(server().tokenRequests[0]?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
		expect(server().tokenRequests[0]?.body.toString()).toBe(
			`grant_type=client_credentials&client_id=cl_1&client_secret=${SECRET}`,
		);
		expect(new Set(server().requests.map(({ headers }) => headers.authorization))).toEqual(
			new Set(["Bearer token_1"]),
		);
	});

	it.each([{}, { access_token: 7 }, { access_token: "" }, { access_token: "topsecret\ntoken" }])(
		"are none in %j, which is said at once",
		async (body) => {
			server().on("POST /oauth/token", respondWithJson(body));
			await expect(connect().get("run_1")).rejects.toMatchObject({
				code: "invalid_response",
				message: expect.not.stringContaining("topsecret"),
				hint: expect.stringContaining("`baseUrl`"),
			});
			expect(server().tokenRequests).toHaveLength(1);
			expect(server().requests).toHaveLength(0);
		},
	);

	it("are fetched anew once after a 401, by all calls together", async () => {
		server().on("POST /oauth/token", respondWithTokens());
		server().on("GET /v1/runs/:id", ({ headers }, response) =>
			headers.authorization === "Bearer token_1"
				? respondWithError(401, { code: "invalid_credentials" })({} as never, response)
				: respondWithJson({ id: "run_1" })({} as never, response),
		);
		const client = connect();
		await Promise.all(Array.from({ length: 5 }, () => client.get("run_1")));
		expect(server().tokenRequests).toHaveLength(2);
	});

	it("give up after the second 401", async () => {
		server().on("POST /oauth/token", respondWithTokens());
		server().on("GET /v1/runs/:id", respondWithError(401, { code: "invalid_credentials" }));
		const failed = await connect()
			.get("run_1")
			.catch((error: unknown) => error);
		expect(failed).toSatisfy(AuthenticationError.is);
		expect(server().requests).toHaveLength(2);
	});

	it("do not keep a failure, and name what is wrong without the secret", async () => {
		server().sequence(
			"POST /oauth/token",
			respondWithJson({ error: "invalid_client", error_description: `no ${SECRET} here` }, 401),
			respondWithTokens(),
		);
		server().on("GET /v1/runs/:id", respondWithJson({ id: "run_1" }));
		const client = connect();
		const failed = await client.get("run_1").catch((error: unknown) => error);
		expect(failed).toSatisfy(AuthenticationError.is);
		expect(failed).toMatchObject({ code: "invalid_client", message: "no [redacted] here" });
		expect(`${inspect(failed)}${JSON.stringify(failed)}`).not.toContain(SECRET);
		expect((await client.get("run_1")).id).toBe("run_1");
	});

	it("are tried again where the endpoint fails for a moment", async () => {
		server().sequence(
			"POST /oauth/token",
			closeConnection,
			respondWithError(503, { code: "shutting_down" }),
			respondWithTokens(),
		);
		server().on("GET /v1/runs/:id", respondWithJson({ id: "run_1" }));
		expect((await connect().get("run_1")).id).toBe("run_1");
	});

	it("are not lost to the others when one caller aborts", async () => {
		server().on("POST /oauth/token", async (request, response) => {
			await new Promise((resolve) => setTimeout(resolve, 50));
			return respondWithTokens()(request, response);
		});
		server().on("GET /v1/runs/:id", respondWithJson({ id: "run_1" }));
		const client = connect();
		const controller = new AbortController();
		const aborted = client.get("run_1", { signal: controller.signal }).catch((error: unknown) => error);
		const other = client.get("run_1");
		controller.abort(new Error("enough"));
		expect(await aborted).toMatchObject({ message: "enough" });
		expect((await other).id).toBe("run_1");
		expect(server().tokenRequests).toHaveLength(1);
	});

	it("appear in no error and no log", async () => {
		const lines: string[] = [];
		const log = vi.fn((line: string) => void lines.push(line));
		server().on("POST /oauth/token", respondWithTokens());
		server().on(
			"GET /v1/runs/:id",
			respondWithError(500, { code: "internal_error", message: "Bearer token_1" }),
		);
		const failed = await connect({ logger: { debug: log, warn: log } })
			.get("run_1")
			.catch((error: unknown) => error);
		expect(failed).toSatisfy(ServerError.is);
		expect(lines.length).toBeGreaterThan(0);
		expect(`${lines.join()}${inspect(failed)}`).not.toMatch(/token_1|topsecret/);
	});
});

describe("the life of an access token", () => {
	const START = Date.UTC(2026, 0, 1);
	const passSeconds = (seconds: number): void => void vi.setSystemTime(START + seconds * 1000);
	const usedTokens = (): (string | undefined)[] =>
		server().requests.map(({ headers }) => headers.authorization?.replace("Bearer ", ""));

	beforeEach(() => {
		vi.useFakeTimers({ toFake: ["Date"], now: START });
		server().on("GET /v1/runs/:id", respondWithJson({ id: "run_1" }));
	});
	afterEach(() => {
		vi.useRealTimers();
	});

	/** Answers when it is let go. */
	function createHeldResponse(answer: RequestHandler): {
		readonly answer: RequestHandler;
		readonly release: () => void;
	} {
		let release = (): void => undefined;
		const heldResponse = new Promise<void>((resolve) => {
			release = resolve;
		});
		return { answer: (request, response) => heldResponse.then(() => answer(request, response)), release };
	}

	it("is renewed once in its last quarter, while calls go on with it", async () => {
		const second = createHeldResponse(respondWithJson({ access_token: "second", expires_in: 900 }));
		server().sequence(
			"POST /oauth/token",
			respondWithJson({ access_token: "first", expires_in: 900 }),
			second.answer,
		);
		const client = connect();
		await client.get("run_1");
		passSeconds(674);
		await client.get("run_1");
		expect(server().tokenRequests).toHaveLength(1);
		passSeconds(676);
		await Promise.all(Array.from({ length: 5 }, () => client.get("run_1")));
		await client.get("run_1");
		await expect.poll(() => server().tokenRequests).toHaveLength(2);
		expect(new Set(usedTokens())).toEqual(new Set(["first"]));
		second.release();
		await vi.waitFor(async () => {
			await client.get("run_1");
			expect(usedTokens().at(-1)).toBe("second");
		}, 30_000);
		expect(server().tokenRequests).toHaveLength(2);
	});

	it("ends: then calls wait for the next, together", async () => {
		server().on("POST /oauth/token", respondWithTokens(900));
		const client = connect();
		await client.get("run_1");
		passSeconds(901);
		await Promise.all([client.get("run_1"), client.get("run_1")]);
		expect(usedTokens()).toEqual(["token_1", "token_2", "token_2"]);
	});

	it("goes on where its renewal fails, which is silent and tried again by the next call", async () => {
		const unhandled = vi.fn();
		process.on("unhandledRejection", unhandled);
		server().sequence(
			"POST /oauth/token",
			respondWithJson({ access_token: "first", expires_in: 900 }),
			respondWithError(500, { code: "internal_error" }),
		);
		const client = connect();
		await client.get("run_1");
		passSeconds(800);
		for (const requests of [2, 3]) {
			await client.get("run_1");
			await expect.poll(() => server().tokenRequests).toHaveLength(requests);
			// The answer has to arrive before the next call, which would share it.
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		expect(usedTokens()).toEqual(["first", "first", "first"]);
		passSeconds(901);
		await expect(client.get("run_1")).rejects.toSatisfy(ServerError.is);
		process.off("unhandledRejection", unhandled);
		expect(unhandled).not.toHaveBeenCalled();
	});

	it.each([
		["", 300],
		['"expires_in": 900', 900],
		['"expires_in": "900"', 900],
		['"expires_in": 0', 300],
		['"expires_in": -1', 300],
		['"expires_in": null', 300],
		['"expires_in": "soon"', 300],
		['"expires_in": {}', 300],
		['"expires_in": 0.001', 1],
		['"expires_in": 1e12', 86_400],
		['"expires_in": 1e999', 86_400],
	])("with %s is %i seconds", async (field, seconds) => {
		const answer: RequestHandler = (_, response) =>
			void response
				.writeHead(200, { "content-type": "application/json" })
				.end(`{"access_token": "token"${field && `, ${field}`}}`);
		server().on("POST /oauth/token", answer);
		const client = connect();
		for (let call = 0; call < 5; call++) await client.get("run_1");
		passSeconds(seconds * 0.7);
		await client.get("run_1");
		expect(server().tokenRequests).toHaveLength(1);
		server().on("POST /oauth/token", respondWithError(500, { code: "internal_error" }));
		passSeconds(seconds - 0.01);
		await client.get("run_1");
		passSeconds(seconds + 0.01);
		await expect(client.get("run_1")).rejects.toSatisfy(ServerError.is);
	});

	it("is in no error of a call that was sent with it before it was replaced", async () => {
		const failure = createHeldResponse(
			respondWithError(500, { code: "internal_error", message: "Bearer token_1, was it?" }),
		);
		server().on("POST /oauth/token", respondWithTokens(900));
		const client = connect();
		await client.get("run_1");
		server().on("GET /v1/runs/:id", failure.answer);
		const failed = client.get("run_1").catch((error: unknown) => error);
		await expect.poll(() => server().requests).toHaveLength(2);
		server().on("GET /v1/runs/:id", respondWithJson({ id: "run_1" }));
		passSeconds(901);
		await client.get("run_1");
		failure.release();
		expect(await failed).toMatchObject({ message: "Bearer [redacted], was it?" });
	});
});

describe("a token endpoint that", () => {
	const failureOf = (timeouts: object = {}, signal?: AbortSignal, ofClient: object = {}): Promise<unknown> =>
		connect({ timeouts: ofClient })
			.get("run_1", { timeouts, signal })
			.catch((error: unknown) => error);

	it("never answers is given up in the client's own time", async () => {
		server().on("POST /oauth/token", neverRespond);
		const failed = await failureOf({}, undefined, { headersTimeoutMs: 100 });
		expect(failed).toSatisfy(TimeoutError.is);
		expect(failed).toMatchObject({ code: "headers_timeout", timeoutMs: 100 });
	});

	it("is slow holds no caller longer than it wants to wait", async () => {
		server().on("POST /oauth/token", neverRespond);
		expect(await failureOf({ timeoutMs: 20 })).toMatchObject({ code: "total_timeout", timeoutMs: 20 });
		const controller = new AbortController();
		setTimeout(() => controller.abort(new Error("enough")), 20);
		expect(await failureOf({}, controller.signal)).toMatchObject({ message: "enough" });
	});

	it("answers with a page is told by its address", async () => {
		server().on("POST /oauth/token", respondWithHtml);
		expect(await failureOf()).toMatchObject({
			code: "invalid_response",
			hint: expect.stringContaining("`baseUrl`"),
		});
	});

	it("repeats what it was sent gives no secret away", async () => {
		const clientSecret = "top/secret+client=secret";
		server().on("POST /oauth/token", ({ body }, response) =>
			sendJson(response, { error: "invalid_request", error_description: `${body} ${clientSecret}` }, 400),
		);
		const client = runs(createClient({ clientId: "cl_1", clientSecret, baseUrl: server().url }));
		const failed = await client.get("run_1").catch((error: unknown) => error);
		expect(failed).toMatchObject({ code: "invalid_request", message: expect.stringContaining("[redacted]") });
		expect(inspect(failed)).not.toMatch(/top\/secret|top%2Fsecret/);
	});
});
