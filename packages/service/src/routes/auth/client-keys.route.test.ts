import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getToken, startTestService, type TestService } from "../../http/test-support/test-service";
import { isAboutOneInstance } from "../../test-support/alternating-service";

let service: TestService;
beforeAll(async () => {
	// Nothing answers there: budgets are asked before any call is made, and the built-in model costs nothing.
	const base_url = "http://127.0.0.1:9/v1";
	const providers = { paid: { provider: "openai-compatible", base_url, default_model: "m" } } as const;
	service = await startTestService({ providers, chat: "paid" });
});
afterAll(() => service.end());

const create = (json: unknown, headers = {}) => service.send("/v1/client-keys", { json, headers });
const origin = "https://app.example";
/** A route that client keys may use: 404 says that the key was let in, and that there is no such run. */
const use = (credential: string, headers: Record<string, string> = {}) =>
	service.send("/v1/runs/run_none", { credential, headers });

test("a client key is made with its defaults, listed, read and deleted; it is shown once", async () => {
	const { status, body } = await create({ name: "page", origins: [origin] });
	expect(status).toBe(201);
	const { client_key, ...key } = body;
	expect(key).toEqual({
		id: expect.stringMatching(/^ck_[0-9a-z]{26}$/),
		name: "page",
		scopes: ["ask", "agents:run"],
		origins: [origin],
		native: false,
		agents: null,
		knowledge_base_ids: null,
		requests_per_minute: 60,
		tokens_per_day: 200_000,
		models: false,
		expose: "answer",
		created_at: expect.stringMatching(/Z$/),
	});
	expect(client_key).toMatch(new RegExp(`^${key.id}_[\\w-]{43}$`));
	expect((await service.send(`/v1/client-keys/${key.id}`)).body).toEqual(key);
	expect((await service.send("/v1/client-keys")).body.data).toContainEqual(key);
	expect((await use(client_key, { origin })).status).toBe(404);
	expect((await service.send(`/v1/client-keys/${key.id}`, { method: "DELETE" })).body).toEqual({
		id: key.id,
		deleted: true,
	});
	expect((await use(client_key, { origin })).status).toBe(401);
	expect((await service.send(`/v1/client-keys/${key.id}`)).body.error.code).toBe("client_key_not_found");
});

test("all that can be said of one is kept", async () => {
	const requested = {
		name: "phone",
		scopes: ["agents:run"],
		origins: [],
		native: true,
		agents: ["support", "ag_1"],
		knowledge_base_ids: ["kb_1"],
		requests_per_minute: 5,
		tokens_per_day: 1000,
		models: true,
		expose: "trace",
	};
	expect((await create(requested)).body).toMatchObject(requested);
});

test.each([
	[{ name: "x" }, "origins"],
	[{ name: "x", origins: ["https://app.example/"] }, "origins[0]"],
	[{ name: "x", origins: [origin, "*"] }, "origins[1]"],
	[{ name: "x", native: true, scopes: ["keys:write"] }, "scopes[0]"],
	[{ name: "x", native: true, scopes: [] }, "scopes"],
	[{ name: "x", native: true, requests_per_minute: 0 }, "requests_per_minute"],
	[{ name: "x", native: true, tokens_per_day: 1.5 }, "tokens_per_day"],
	[{ native: true }, "name"],
])("%j is refused", async (json, param) => {
	const { status, body } = await create(json);
	expect([status, body.error.code, body.error.param]).toEqual([400, "invalid_request", param]);
});

test("nobody gives what they lack", async () => {
	for (const [scope, json] of [
		["keys:write ask", { name: "x", native: true }],
		["keys:write ask agents:run", { name: "x", native: true, expose: "trace" }],
	] as const) {
		const credential = await getToken(service.current(), service.credentials, scope);
		const { status, body } = await service.send("/v1/client-keys", { json, credential });
		expect([status, body.error.code]).toEqual([403, "missing_scope"]);
	}
});

test("the same request again makes no second one", async () => {
	const headers = { "idempotency-key": "once" };
	const { body } = await create({ name: "once", native: true }, headers);
	const again = await create({ native: true, name: "once" }, headers);
	expect([again.status, again.body.error.details]).toEqual([409, { id: body.id }]);
	expect(JSON.stringify(again.body)).not.toContain(body.client_key);
});

describe("a client key is used", () => {
	test("from its origins alone", async () => {
		const { client_key } = (await create({ name: "page", origins: [origin] })).body;
		expect((await use(client_key, { origin })).headers.get("access-control-allow-origin")).toBe(origin);
		for (const headers of [
			{ origin: "https://other.example" },
			{ origin: "null" },
			{ origin: `${origin}:8080` },
			{},
		]) {
			const answer = await use(client_key, headers as Record<string, string>);
			expect([answer.status, answer.body.error.code]).toEqual([403, "origin_not_allowed"]);
		}
	});
	test("without an origin where it is native", async () => {
		const { client_key } = (await create({ name: "phone", native: true })).body;
		expect((await use(client_key)).status).toBe(404);
		expect((await use(client_key, { origin })).body.error.code).toBe("origin_not_allowed");
	});
	test("on the routes made for it alone", async () => {
		const { client_key } = service.credentials;
		for (const path of ["/v1/clients", "/v1/client-keys", "/v1/agents"]) {
			const answer = await service.send(path, { credential: client_key });
			expect([answer.status, answer.body.error.code]).toEqual([403, "not_allowed_for_client_key"]);
			expect(answer.headers.get("access-control-allow-origin")).toBeNull();
		}
	});
	test("with its whole secret", async () => {
		const { client_key } = service.credentials;
		const last = client_key.endsWith("A") ? "B" : "A";
		for (const wrong of [client_key.slice(0, -1) + last, client_key.slice(0, -1), client_key.slice(0, 29)])
			expect((await use(wrong)).status).toBe(401);
	});
	test("for so many tokens a day, and no more", async () => {
		const requested = { name: "poor", native: true, models: true, tokens_per_day: 1 };
		const { client_key: credential } = (await create(requested)).body;
		const json = { model: "default", messages: [{ role: "user", content: "How long is parental leave?" }] };
		const answer = await service.send("/v1/chat/completions", { json, credential });
		expect([answer.status, answer.body.error.code]).toEqual([429, "budget_exhausted"]);
		const seconds = Number(answer.headers.get("retry-after"));
		expect(seconds).toBeGreaterThan(0);
		expect(seconds).toBeLessThanOrEqual(86_400);
	});
	test.skipIf(isAboutOneInstance("rates are exchanged after a moment"))(
		"so often a minute, and no more",
		async () => {
			const { client_key } = (await create({ name: "slow", native: true, requests_per_minute: 3 })).body;
			const statuses = [];
			for (let request = 0; request < 4; request++) statuses.push((await use(client_key)).status);
			expect(statuses).toEqual([404, 404, 404, 429]);
			const answer = await use(client_key);
			expect(answer.body.error.code).toBe("rate_limited");
			expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
		},
	);
});
