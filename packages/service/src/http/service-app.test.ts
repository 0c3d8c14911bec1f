import { describe, expect, test } from "vitest";
import { version } from "../../package.json";
import { DomainError } from "../errors/domain-error";
import { ConstraintError, StorageError } from "../store/storage-error";
import { requireCaller } from "./auth/authenticate";
import { createTestApp, readError } from "./test-support/test-app";

function createApp() {
	const test = createTestApp();
	const { app } = test;
	app.get("/open", (context) => context.json({ depth: context.get("depth") }));
	app.get("/keys", requireCaller({ scopes: ["keys:write"] }), (context) => context.text("secret"));
	app.post("/ask", requireCaller({ scopes: ["ask"], clientKeys: true }), (context) => context.text("yes"));
	app.get("/ask", requireCaller({ scopes: ["ask"] }), (context) => context.text("servers only"));
	app.get("/raw", requireCaller({ scopes: [], clientKeys: true }), () => new Response("raw"));
	app.get("/fail/:how", (context) => {
		throw failures[context.req.param("how")];
	});
	return test;
}

const failures: Record<string, Error> = {
	api: new DomainError("rate_limited", "Slow down.", {
		hint: "Wait.",
		param: "a",
		details: { b: 1 },
		retryAfterSeconds: 1.2,
		cause: new Error("s3cret cause"),
	}),
	full: new StorageError("s3cret", { code: "storage_full" }),
	gone: new StorageError("s3cret", { code: "storage_unavailable" }),
	corrupt: new StorageError("s3cret", { code: "storage_corrupt" }),
	constraint: new ConstraintError("s3cret"),
	bug: new TypeError("s3cret"),
};

const { app, log } = createApp();
const auth = { authorization: "Bearer a" };

test("every answer has a request id and the version", async () => {
	for (const path of ["/open", "/nowhere", "/raw", "/fail/bug"]) {
		const { headers } = await app.request(path, { headers: auth });
		expect(headers.get("x-request-id")).toMatch(/^req_[0-9a-z]{26}$/);
		expect(headers.get("stemma-version")).toBe(version);
	}
});

test.each([
	["my-id_1.2", true],
	["x".repeat(101), false],
	["a b", false],
	["<script>", false],
])("takes the request id %j: %s", async (id, isTaken) => {
	const response = await app.request("/nowhere", { headers: { "x-request-id": id } });
	expect(response.headers.get("x-request-id") === id).toBe(isTaken);
	expect((await readError(response)).request_id).toBe(response.headers.get("x-request-id"));
});

test("logs each request with its caller, and neither query nor headers", async () => {
	log.length = 0;
	await app.request("/raw?token=s3cret", { headers: { ...auth, cookie: "s3cret" } });
	expect(log).toMatchObject([
		{ method: "GET", path: "/raw", status: 200, caller: "Bearer a", ms: expect.any(Number) },
	]);
	expect(JSON.stringify(log)).not.toContain("s3cret");
});

describe("errors", () => {
	test("of the API are sent whole, without their cause", async () => {
		const response = await app.request("/fail/api", { headers: { "x-request-id": "r1" } });
		expect([response.status, response.headers.get("retry-after")]).toEqual([429, "2"]);
		expect(await response.json()).toEqual({
			error: {
				code: "rate_limited",
				message: "Slow down.",
				param: "a",
				hint: "Wait.",
				request_id: "r1",
				details: { b: 1 },
			},
		});
	});
	test.each([
		["full", 503, "storage_full"],
		["gone", 503, "storage_unavailable"],
		["corrupt", 503, "storage_unavailable"],
		["constraint", 500, "internal_error"],
		["bug", 500, "internal_error"],
	])("of kind %s answer %i %s; the truth is in the log alone", async (how, status, code) => {
		log.length = 0;
		const response = await app.request(`/fail/${how}`);
		expect(response.status).toBe(status);
		expect(response.headers.has("retry-after")).toBe(status === 503);
		const text = await response.text();
		expect(text).toContain(`"${code}"`);
		expect(text).not.toContain("s3cret");
		expect(text).not.toMatch(/\bat .*:\d+/);
		expect(log[0]).toMatchObject({
			err: { message: "s3cret", stack: expect.stringContaining("service-app.test") },
		});
	});
});

describe("paths and methods", () => {
	test("that do not exist", async () => {
		const response = await app.request("/v1/nowhere", { method: "POST" });
		expect([response.status, (await readError(response)).code]).toEqual([404, "route_not_found"]);
	});
	test("that a path does not answer to", async () => {
		const response = await app.request("/ask", { method: "DELETE" });
		expect([response.status, (await readError(response)).code]).toEqual([405, "method_not_allowed"]);
		expect(response.headers.get("allow")).toBe("GET, POST, HEAD");
	});
	test("HEAD is GET without a body", async () => {
		const response = await app.request("/open", { method: "HEAD" });
		expect([response.status, await response.text()]).toEqual([200, ""]);
	});
});

describe("depth", () => {
	test.each([
		[undefined, 0],
		["0", 0],
		["8", 8],
	])("%s is %i", async (given, depth) => {
		const headers: Record<string, string> = given === undefined ? {} : { "stemma-depth": given };
		expect(await (await app.request("/open", { headers })).json()).toEqual({ depth });
	});
	test.each([
		["9", "agent_loop"],
		["-1", "invalid_request"],
		["x", "invalid_request"],
	])("%s is refused: %s", async (given, code) => {
		const response = await app.request("/open", { headers: { "stemma-depth": given } });
		expect([response.status, (await readError(response)).code]).toEqual([400, code]);
	});
});

describe("callers", () => {
	test("need a credential", async () => {
		const response = await app.request("/keys");
		expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
	});
	test("need a scope, which is named", async () => {
		const response = await app.request("/keys", { headers: auth });
		expect(response.status).toBe(403);
		expect(await readError(response)).toMatchObject({
			code: "missing_scope",
			message: 'This needs the scope "keys:write".',
			details: { scopes: ["keys:write"] },
		});
	});
	test("with a client key reach only the routes made for them", async () => {
		const headers = { authorization: "Bearer key" };
		expect((await app.request("/ask", { method: "POST", headers })).status).toBe(200);
		for (const path of ["/keys", "/ask"])
			expect((await readError(await app.request(path, { headers }))).code).toBe("not_allowed_for_client_key");
	});
});

describe("across origins", () => {
	const origin = "https://app.example";
	const preflight = (path: string, method: string) =>
		app.request(path, {
			method: "OPTIONS",
			headers: {
				origin,
				"access-control-request-method": method,
				"access-control-request-headers": "authorization,stemma-run-token",
			},
		});
	test("a preflight needs no credential, and gets its origin", async () => {
		const { status, headers } = await preflight("/ask", "POST");
		expect(status).toBe(204);
		expect(headers.get("access-control-allow-origin")).toBe(origin);
		expect(headers.get("access-control-allow-methods")).toBe("POST");
		expect(headers.get("access-control-allow-headers")?.split(", ")).toEqual([
			"authorization",
			"x-api-key",
			"anthropic-version",
			"anthropic-beta",
			"anthropic-dangerous-direct-browser-access",
			"content-type",
			"idempotency-key",
			"last-event-id",
			"stemma-depth",
			"stemma-run-token",
			"stemma-thread-token",
			"stemma-answer-token",
			"stemma-visitor",
			"a2a-version",
			"a2a-extensions",
			"mcp-protocol-version",
			"mcp-session-id",
			"mcp-method",
			"mcp-name",
			"traceparent",
			"tracestate",
		]);
		expect(headers.get("access-control-allow-credentials")).toBeNull();
		expect(headers.get("vary")).toBe("origin");
	});
	test.each([
		["/keys", "GET"],
		["/ask", "GET"],
		["/open", "GET"],
		["/nowhere", "GET"],
		["/ask", "DELETE"],
	])("a preflight of %s %s gets nothing", async (path, method) => {
		const { status, headers } = await preflight(path, method);
		expect(status).toBeGreaterThanOrEqual(404);
		expect(headers.get("access-control-allow-origin")).toBeNull();
	});
	test("answers and errors can be read on these routes, with the headers that matter", async () => {
		for (const [path, authorization] of [
			["/raw", "Bearer key"],
			["/raw", undefined],
		] as const) {
			const { headers } = await app.request(path, {
				headers: { origin, ...(authorization && { authorization }) },
			});
			expect(headers.get("access-control-allow-origin")).toBe(origin);
			expect(headers.get("access-control-expose-headers")).toContain(
				"x-request-id, retry-after, stemma-version",
			);
		}
	});
	test("answers cannot be read on others", async () => {
		const { headers } = await app.request("/keys", { headers: { origin, ...auth } });
		expect(headers.get("access-control-allow-origin")).toBeNull();
	});
});

test("a service that is stopping takes nothing new", async () => {
	const stopping = createApp();
	stopping.stop();
	const response = await stopping.app.request("/open");
	expect([response.status, (await readError(response)).code]).toEqual([503, "shutting_down"]);
	expect(response.headers.get("retry-after")).toBe("5");
});
