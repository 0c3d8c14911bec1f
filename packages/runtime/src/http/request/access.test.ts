import { describe, expect, it } from "vitest";
import { createTestRuntime } from "../../test-support/scripted";
import { resolveAccess } from "./access";

const json = { "content-type": "application/json" };
const send = (url: string, headers: Readonly<Record<string, string>>, method = "POST"): Request =>
	new Request(url, { method, headers, ...(method === "POST" ? { body: '{"input":"hi"}' } : {}) });

describe("with a token", () => {
	it.each([
		["the token", { authorization: "Bearer t0ken" }, 200, undefined],
		["the scheme in other letters", { authorization: "bearer t0ken" }, 200, undefined],
		["nothing", {}, 401, "missing_credentials"],
		["another token", { authorization: "Bearer t0kem" }, 401, "invalid_credentials"],
		["a longer token", { authorization: "Bearer t0kenn" }, 401, "invalid_credentials"],
		["another scheme", { authorization: "Basic t0ken" }, 401, "invalid_credentials"],
		["no token", { authorization: "Bearer" }, 401, "invalid_credentials"],
	])("takes or refuses %s", async (_, headers, status, code) => {
		const { fetch } = await createTestRuntime({ token: "t0ken" });
		const response = await fetch(send("http://runtime.example/run/desk", { ...json, ...headers }));
		const text = await response.text();
		expect({ status: response.status, code: JSON.parse(text).error?.code }).toEqual({ status, code });
		expect(response.headers.get("www-authenticate")).toBe(status === 401 ? "Bearer" : null);
		expect(text).not.toContain("t0ken");
	});

	it("guards every route but the probes, those that do not exist too", async () => {
		const { fetch } = await createTestRuntime({ token: "t0ken" });
		const status = async (path: string, method = "GET") =>
			(await fetch(send(`http://runtime.example${path}`, json, method))).status;
		expect(await status("/healthz")).toBe(200);
		expect(await status("/readyz")).toBe(200);
		for (const path of ["/agents", "/runs/run_1/events", "/none", "/healthz/", "/"])
			expect(await status(path)).toBe(401);
		for (const path of ["/runs/run_1/cancel", "/run/desk", "/agents"])
			expect(await status(path, "POST")).toBe(401);
	});
});

describe("without a token", () => {
	it.each([
		["a loopback address", "http://127.0.0.1:4120", {}, 200],
		["localhost", "http://localhost", {}, 200],
		["IPv6", "http://[::1]:4120", {}, 200],
		[
			"a page of this machine",
			"http://localhost:4120",
			{ origin: "http://localhost:3000", "sec-fetch-site": "same-site" },
			200,
		],
		["a name that leads here", "http://evil.example:4120", {}, 403],
		["a name that starts like an address", "http://127.0.0.1.evil.example", {}, 403],
		["a name that starts like localhost", "http://localhost.evil.example", {}, 403],
		["a name that ends like localhost", "http://evil-localhost:4120", {}, 403],
		["a Host that is another", "http://127.0.0.1", { host: "evil.example" }, 403],
		["a Host with a user", "http://127.0.0.1", { host: "evil.example@127.0.0.1" }, 403],
		["an address of the network", "http://192.168.1.5:4120", {}, 403],
		["a page of another machine", "http://127.0.0.1", { origin: "https://evil.example" }, 403],
		["a page without an origin of its own", "http://127.0.0.1", { origin: "null" }, 403],
		["another site", "http://127.0.0.1", { "sec-fetch-site": "cross-site" }, 403],
		["a form", "http://127.0.0.1", { "content-type": "application/x-www-form-urlencoded" }, 415],
		["text", "http://127.0.0.1", { "content-type": "text/plain" }, 415],
	])("takes or refuses %s", async (_, address, headers, status) => {
		const { fetch } = await createTestRuntime();
		const response = await fetch(send(`${address}/run/desk`, { ...json, ...headers }));
		expect(response.status).toBe(status);
		if (status === 403) expect((await response.json()).error.hint).toContain("STEMMA_RUNTIME_TOKEN");
	});

	it("takes a POST without a body and without a type, and nothing else that is not JSON", async () => {
		const { fetch } = await createTestRuntime();
		const status = async (path: string, init: RequestInit) =>
			(await fetch(new Request(`http://127.0.0.1${path}`, { method: "POST", ...init }))).status;
		expect(await status("/runs/run_1/cancel", {})).toBe(404);
		expect(await status("/runs/run_1/cancel", { headers: { "content-type": "text/plain" } })).toBe(415);
		expect(await status("/runs/run_1/cancel", { body: new Blob(["{}"]) })).toBe(415);
		expect(await status("/runs/run_1/cancel", { headers: { origin: "https://evil.example" } })).toBe(403);
		expect(await status("/run/desk", { body: new Blob(['{"input":"hi"}']) })).toBe(415);
	});

	it("takes all of it when anyone may", async () => {
		const { fetch } = await createTestRuntime({ allowAnonymous: true });
		const headers = { ...json, origin: "https://app.example", "sec-fetch-site": "cross-site" };
		expect((await fetch(send("http://runtime.example/run/desk", headers))).status).toBe(200);
	});
});

describe("resolveAccess", () => {
	const inVariable = { STEMMA_RUNTIME_TOKEN: "variable" };

	it.each([
		[{}, {}, { kind: "loopback" }],
		[{}, inVariable, { kind: "token", token: "variable" }],
		[{ token: "option" }, inVariable, { kind: "token", token: "option" }],
		[{}, { STEMMA_RUNTIME_TOKEN: "" }, { kind: "loopback" }],
		[{ allowAnonymous: true }, {}, { kind: "anyone" }],
	])("of %j and %j makes %j", (options, environment, access) => {
		expect(resolveAccess(options, environment)).toEqual(access);
	});

	it.each([
		[{ token: "" }, {}],
		[{ token: "with space" }, {}],
		[{}, { STEMMA_RUNTIME_TOKEN: "secret\n" }],
		[{ allowAnonymous: true }, inVariable],
	])("refuses %j and %j", (options, environment) => {
		expect(() => resolveAccess(options, environment)).toThrow(/token/i);
	});
});
