import { inspect } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import { agents, type ClientOptions, ConfigurationError, createClient, runtimeAgents, Stemma } from "./index";

const baseUrl = "https://stemma.example";
const createWith = (options: object) => () => createClient({ baseUrl, ...options } as ClientOptions);

afterEach(() => {
	vi.unstubAllGlobals();
	vi.unstubAllEnvs();
});

describe("credentials", () => {
	it.each([
		[{}, /need `clientId` and `clientSecret`, or `clientKey` or `session: true` alone; given: none\.$/],
		[{ clientId: "cl_1", clientSecret: undefined }, /; given: `clientId`\.$/],
		[{ clientSecret: "s" }, /; given: `clientSecret`\.$/],
		[
			{ clientKey: "ck_1_x", clientId: "cl_1", clientSecret: "s" },
			/; given: `clientId` and `clientSecret` and `clientKey`\.$/,
		],
		[{ clientKey: "ck_1_x", clientSecret: "s" }, /; given: `clientSecret` and `clientKey`\.$/],
		[{ clientKey: null }, /`clientKey` is empty, or has a character/],
		[{ clientKey: "" }, /`clientKey` is empty, or has a character/],
		[{ clientKey: "ck_1_topsecret\n" }, /`clientKey` is empty, or has a character/],
		[{ clientId: "cl_1", clientSecret: "top secret" }, /`clientSecret` is empty, or has a character/],
	])("refuses %j", (options, message) => {
		expect(createWith(options)).toThrow(message);
		expect(createWith(options)).toThrow(ConfigurationError);
		expect(createWith(options)).not.toThrow(/topsecret|top secret/);
	});

	it("takes either form", () => {
		expect(createWith({ clientId: "cl_1", clientSecret: "s" })().baseUrl).toBe(baseUrl);
		expect(createWith({ clientKey: "ck_1_x" })().baseUrl).toBe(baseUrl);
	});

	it.each([
		["a browser page", { window: {}, document: {} }],
		["a worker of a browser page", { WorkerGlobalScope: class {}, navigator: { userAgent: "Mozilla/5.0" } }],
		["React Native", { navigator: { product: "ReactNative" } }],
	])("refuses secrets in %s", (runtime, globals) => {
		for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
		expect(createWith({ clientId: "cl_1", clientSecret: "s" })).toThrow(
			`\`clientSecret\` was given in ${runtime}`,
		);
		expect(() => runtimeAgents({ baseUrl, token: "t" })).toThrow(`\`token\` was given in ${runtime}`);
		expect(createWith({ clientId: "cl_1", clientSecret: "s", dangerouslyAllowBrowser: true })).not.toThrow();
		expect(createWith({ clientKey: "ck_1_x" })).not.toThrow();
		expect(() => runtimeAgents({ baseUrl })).not.toThrow();
	});

	it("takes secrets in Cloudflare Workers", () => {
		vi.stubGlobal("WorkerGlobalScope", class {});
		vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" });
		expect(createWith({ clientId: "cl_1", clientSecret: "s" })).not.toThrow();
	});

	it("shows no secret, however it is printed", () => {
		const stemma = new Stemma({
			baseUrl,
			clientId: "cl_1",
			clientSecret: "topsecret",
			headers: { cookie: "topsecret" },
		});
		const keyed = createWith({ clientKey: "ck_1_topsecret" })();
		for (const one of [stemma, keyed, agents(keyed), runtimeAgents({ baseUrl, token: "topsecret" })]) {
			const shown = inspect(one, { depth: 10, showHidden: true, getters: true });
			expect(`${shown}${JSON.stringify(one)}${one}`).not.toContain("topsecret");
		}
	});
});

describe("baseUrl", () => {
	it("comes from the environment, where there is one", () => {
		vi.stubEnv("STEMMA_BASE_URL", "http://127.0.0.1:1/stemma/");
		expect(createClient({ clientKey: "ck_1_x" }).baseUrl).toBe("http://127.0.0.1:1/stemma");
		vi.stubEnv("STEMMA_BASE_URL", "");
		expect(() => createClient({ clientKey: "ck_1_x" })).toThrow(/`baseUrl` is missing/);
	});

	it.each([
		"stemma.example",
		"ftp://a",
		"http://u:topsecret@a",
		"http://topsecret@a/b",
		"http://a?key=topsecret",
		"http://a#topsecret",
		"http://a/b?key=topsecret",
		"http://a/b#topsecret",
		"http://a b",
	])("refuses %s, without quoting it", (wrong) => {
		expect(createWith({ clientKey: "ck_1_x", baseUrl: wrong })).toThrow(/`baseUrl` is not a plain address/);
		expect(createWith({ clientKey: "ck_1_x", baseUrl: wrong })).not.toThrow(/topsecret/);
		vi.stubEnv("STEMMA_BASE_URL", wrong);
		expect(() => createClient({ clientKey: "ck_1_x" })).toThrow(/^`STEMMA_BASE_URL` is not a plain address/);
	});
});

it.each([
	[{ maxRetries: -1 }, /`maxRetries`/],
	[{ retryDelayMs: "5" }, /`retryDelayMs`/],
	[{ timeouts: { headersTimeoutMs: 0 } }, /`timeouts.headersTimeoutMs`/],
	[{ timeouts: { timeoutMs: Number.NaN } }, /`timeouts.timeoutMs`/],
	[{ depth: -1 }, /`depth`/],
	[{ headers: { "x-key": "topsecret\n" } }, /`headers.x-key` has a character/],
])("names the option that is wrong: %j", (options, message) => {
	expect(createWith({ clientKey: "ck_1_x", ...options })).toThrow(message);
	expect(createWith({ clientKey: "ck_1_x", ...options })).not.toThrow(/topsecret/);
});

it("takes what is undefined as not given", async () => {
	const fetch = vi.fn(() => Promise.reject(new TypeError("m")));
	const timeouts = { headersTimeoutMs: undefined, timeoutMs: 7000 };
	const options = {
		headers: { "X-None": undefined, "X-Some": "some" },
		timeouts,
		maxRetries: 0,
		depth: 2,
		fetch,
	};
	const client = createWith({ clientKey: "ck_1_x", ...options })();
	expect(client.timeouts).toMatchObject({ headersTimeoutMs: 60_000, timeoutMs: 7000 });
	await expect(client.request({ method: "GET", path: "/" })).rejects.toThrow("No connection");
	const [[, { headers }]] = fetch.mock.calls as unknown as [[string, { headers: object }]];
	expect(headers).toEqual({
		accept: "application/json",
		authorization: "Bearer ck_1_x",
		"stemma-depth": "2",
		"x-some": "some",
	});
});

describe("the secret of a visitor", () => {
	async function visitorOf(options: object, method: "GET" | "POST" = "POST"): Promise<string | undefined> {
		const fetch = vi.fn(() => Promise.reject(new TypeError("m")));
		const client = createWith({ maxRetries: 0, fetch, ...options })();
		await client.request({ method, path: "/" }).catch(() => undefined);
		const calls = fetch.mock.calls as unknown as [string, { headers: Record<string, string> }][];
		return calls[0]?.[1].headers["stemma-visitor"];
	}

	it("is another for each client with a client key, and none goes out with others", async () => {
		const clientKey = "ck_1_x";
		expect(await visitorOf({ clientKey })).toMatch(/^[0-9a-f]{32}$/);
		expect(await visitorOf({ clientKey })).not.toBe(await visitorOf({ clientKey }));
		expect(await visitorOf({ clientId: "cl_1", clientSecret: "s" })).toBeUndefined();
	});

	it("goes out with idempotency keys alone: a service of before lets no page send it", async () => {
		expect(await visitorOf({ clientKey: "ck_1_x" }, "GET")).toBeUndefined();
	});

	it("can be the page's own", async () => {
		const headers = { "Stemma-Visitor": "one-that-the-page-has-kept" };
		expect(await visitorOf({ clientKey: "ck_1_x", headers })).toBe("one-that-the-page-has-kept");
	});
});

it("sends nothing until something is asked", () => {
	const fetch = vi.fn();
	new Stemma({ baseUrl, clientKey: "ck_1_x", fetch }).knowledge.list();
	expect(fetch).not.toHaveBeenCalled();
});
