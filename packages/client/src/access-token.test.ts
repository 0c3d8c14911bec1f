import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { AuthenticationError, type ConnectionOptions, createClient, runs, ServerError } from "./index";
import { useTestServer } from "./test-support/test-client";
import { answerError, answerJson, answerTokens, hangUp } from "./test-support/test-server";

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

describe("access tokens", () => {
	it("are fetched once for all calls, when first needed", async () => {
		server().on("POST /oauth/token", answerTokens());
		server().on("GET /v1/runs/:id", answerJson({ id: "run_1" }));
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

	it.each([{}, { access_token: 7 }])("are none in %j, which is said at once", async (body) => {
		server().on("POST /oauth/token", answerJson(body));
		await expect(connect().get("run_1")).rejects.toMatchObject({
			code: "invalid_answer",
			hint: expect.stringContaining("`baseUrl`"),
		});
		expect(server().tokenRequests).toHaveLength(1);
		expect(server().requests).toHaveLength(0);
	});

	it("are replaced before they expire", async () => {
		server().on("POST /oauth/token", answerTokens(1));
		server().on("GET /v1/runs/:id", answerJson({ id: "run_1" }));
		const client = connect();
		await client.get("run_1");
		await new Promise((resolve) => setTimeout(resolve, 950));
		await client.get("run_1");
		expect(server().requests.map(({ headers }) => headers.authorization)).toEqual([
			"Bearer token_1",
			"Bearer token_2",
		]);
	});

	it("are fetched anew once after a 401, by all calls together", async () => {
		server().on("POST /oauth/token", answerTokens());
		server().on("GET /v1/runs/:id", ({ headers }, response) =>
			headers.authorization === "Bearer token_1"
				? answerError(401, { code: "invalid_credentials" })({} as never, response)
				: answerJson({ id: "run_1" })({} as never, response),
		);
		const client = connect();
		await Promise.all(Array.from({ length: 5 }, () => client.get("run_1")));
		expect(server().tokenRequests).toHaveLength(2);
	});

	it("give up after the second 401", async () => {
		server().on("POST /oauth/token", answerTokens());
		server().on("GET /v1/runs/:id", answerError(401, { code: "invalid_credentials" }));
		const failed = await connect()
			.get("run_1")
			.catch((error: unknown) => error);
		expect(failed).toSatisfy(AuthenticationError.is);
		expect(server().requests).toHaveLength(2);
	});

	it("do not keep a failure, and name what is wrong without the secret", async () => {
		server().sequence(
			"POST /oauth/token",
			answerJson({ error: "invalid_client", error_description: `no ${SECRET} here` }, 401),
			answerTokens(),
		);
		server().on("GET /v1/runs/:id", answerJson({ id: "run_1" }));
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
			hangUp,
			answerError(503, { code: "shutting_down" }),
			answerTokens(),
		);
		server().on("GET /v1/runs/:id", answerJson({ id: "run_1" }));
		expect((await connect().get("run_1")).id).toBe("run_1");
	});

	it("are not lost to the others when one caller aborts", async () => {
		server().on("POST /oauth/token", async (request, response) => {
			await new Promise((resolve) => setTimeout(resolve, 50));
			return answerTokens()(request, response);
		});
		server().on("GET /v1/runs/:id", answerJson({ id: "run_1" }));
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
		server().on("POST /oauth/token", answerTokens());
		server().on("GET /v1/runs/:id", answerError(500, { code: "internal_error", message: "Bearer token_1" }));
		const failed = await connect({ logger: { debug: log, warn: log } })
			.get("run_1")
			.catch((error: unknown) => error);
		expect(failed).toSatisfy(ServerError.is);
		expect(lines.length).toBeGreaterThan(0);
		expect(`${lines.join()}${inspect(failed)}`).not.toMatch(/token_1|topsecret/);
	});
});
