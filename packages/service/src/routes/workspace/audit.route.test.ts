import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { AuditRecord } from "@stemma/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getToken, startTestService, type TestService } from "../../http/test-support/test-service";
import { isOnPostgres } from "../../test-support/test-database";

let service: TestService;
beforeAll(async () => {
	service = await startTestService();
});
afterAll(() => service.end());

const list = async (query = "?limit=100", credential?: string): Promise<readonly AuditRecord[]> =>
	(await service.send(`/v1/audit${query}`, credential === undefined ? {} : { credential })).body.data;
const newest = async (): Promise<AuditRecord | undefined> => (await list("?limit=1"))[0];

const keyFields = {
	...{ name: "app", scopes: ["ask"], origins: ["https://app.example"], native: false, agents: ["desk"] },
	...{ knowledge_base_ids: null, requests_per_minute: 5, tokens_per_day: 6, models: true, expose: "answer" },
};

describe("each change of credentials is told, with its author and its request", () => {
	const headers = { "x-request-id": "request-of-a-test" };

	it("the workspace itself, with its first client and key", async () => {
		const [first] = (await list()).slice(-1);
		const { workspace_id, client_id, client_key } = service.credentials;
		expect(first).toEqual({
			id: expect.stringMatching(/^aud_[0-9a-z]{26}$/),
			at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
			action: "workspace.created",
			actor: "operator",
			target: workspace_id,
			details: {
				name: "default",
				client_id,
				client_key_id: client_key.slice(0, 29),
				origins: expect.any(Array),
			},
			request_id: null,
		});
	});

	it("clients", async () => {
		const by = { actor: service.credentials.client_id, request_id: "request-of-a-test" };
		const json = { name: "backend", scopes: ["ask"] };
		const { body: client } = await service.send("/v1/clients", { json, headers });
		const target = client.id;
		expect(await newest()).toMatchObject({ ...by, action: "client.created", target, details: json });
		await service.send(`/v1/clients/${target}/rotate`, { method: "POST", headers });
		const details = { name: "backend" };
		expect(await newest()).toMatchObject({ ...by, action: "client.rotated", target, details });
		await service.send(`/v1/clients/${target}`, { method: "DELETE", headers });
		expect(await newest()).toMatchObject({ ...by, action: "client.deleted", target, details });
	});

	it("models of knowledge bases, and no other change of theirs", async () => {
		const by = { actor: service.credentials.client_id, request_id: "request-of-a-test" };
		const path = "/v1/knowledge-bases";
		const { body: base } = await service.send(path, { json: { name: "A", llm_model: "m" }, headers });
		const changed = { ...by, action: "knowledge_base.models_changed", target: base.id };
		expect(await newest()).toMatchObject({ ...changed, details: { llm_model: "m" } });
		const before = await newest();
		await service.send(`${path}/${base.id}`, { method: "PATCH", json: { name: "B" }, headers });
		expect(await newest()).toEqual(before);
		const json = { llm_provider: "extractive", llm_model: null };
		await service.send(`${path}/${base.id}`, { method: "PATCH", json, headers });
		expect(await newest()).toMatchObject({ ...changed, details: json });
	});

	it("client keys", async () => {
		const by = { actor: service.credentials.client_id, request_id: "request-of-a-test" };
		const { body: key } = await service.send("/v1/client-keys", { json: keyFields, headers });
		const created = { ...by, action: "client_key.created", target: key.id };
		expect(await newest()).toMatchObject(created);
		expect((await newest())?.details).toEqual(keyFields);
		await service.send(`/v1/client-keys/${key.id}`, { method: "DELETE", headers });
		const deleted = { ...by, action: "client_key.deleted", target: key.id, details: { name: "app" } };
		expect(await newest()).toMatchObject(deleted);
	});
});

it("what changes nothing is not told", async () => {
	const before = await list();
	const attempts = [
		["POST", "/v1/clients/cl_nobody/rotate", 404],
		["DELETE", "/v1/clients/cl_nobody", 404],
		["DELETE", `/v1/clients/${service.credentials.client_id}`, 409],
		["DELETE", "/v1/client-keys/ck_nothing", 404],
	] as const;
	for (const [method, path, status] of attempts)
		expect((await service.send(path, { method })).status, path).toBe(status);
	const refused = await service.send("/v1/clients", { json: { name: "x", scopes: ["everything"] } });
	expect(refused.status).toBe(400);
	const headers = { "idempotency-key": "twice" };
	for (const status of [201, 409])
		expect((await service.send("/v1/clients", { json: { name: "once" }, headers })).status).toBe(status);
	expect((await list()).length).toBe(before.length + 1);
});

it.skipIf(isOnPostgres())("no change is made that cannot be told", async () => {
	const database = new DatabaseSync(join(service.folder, "deployment.sqlite"), { timeout: 10_000 });
	const json = { name: "unheard of", native: true };
	const { body: key } = await service.send("/v1/client-keys", { json });
	const { body: client } = await service.send("/v1/clients", { json: { name: "unheard of" } });
	const listAll = () =>
		Promise.all(["/v1/clients", "/v1/client-keys"].map((path) => service.send(`${path}?limit=100`)));
	const bodies = async () => (await listAll()).map(({ body }) => body);
	const before = await bodies();
	database.exec("CREATE TRIGGER refuse BEFORE INSERT ON audit BEGIN SELECT raise(ABORT, 'refused'); END");
	try {
		const attempts = [
			["POST", "/v1/clients", { json: { name: "new" } }],
			["POST", "/v1/client-keys", { json: { name: "new", native: true } }],
			["POST", `/v1/clients/${client.id}/rotate`, {}],
			["DELETE", `/v1/clients/${client.id}`, {}],
			["DELETE", `/v1/client-keys/${key.id}`, {}],
		] as const;
		for (const [method, path, request] of attempts)
			expect((await service.send(path, { method, ...request })).status, path).toBeGreaterThanOrEqual(500);
		const { id: client_id, client_secret } = client;
		expect(await getToken(service.current(), { client_id, client_secret })).toMatch(/^tok_/);
	} finally {
		database.exec("DROP TRIGGER refuse");
		database.close();
	}
	expect(await bodies()).toEqual(before);
});

it("no secret is told, nor kept", async () => {
	const secrets = [service.credentials.client_secret, service.credentials.client_key.slice(30)];
	for (const json of [{ name: "s1" }, { name: "s2" }]) {
		const { body } = await service.send("/v1/clients", { json });
		const { body: rotated } = await service.send(`/v1/clients/${body.id}/rotate`, { method: "POST" });
		const { body: key } = await service.send("/v1/client-keys", { json: { ...json, native: true } });
		secrets.push(body.client_secret, rotated.client_secret, key.client_key.slice(30));
	}
	expect(secrets.every((secret) => secret.length > 40)).toBe(true);
	const text = JSON.stringify(await list());
	expect(text).toContain("s2");
	expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});

it("the list comes in pages, the newest first, and of one action", async () => {
	for (const name of ["p1", "p2", "p3"]) await service.send("/v1/clients", { json: { name } });
	const first = (await service.send("/v1/audit?action=client.created&limit=2")).body;
	expect(first.data.map(({ details }: AuditRecord) => details.name)).toEqual(["p3", "p2"]);
	expect([first.has_more, first.next]).toEqual([true, first.data[1].id]);
	const rest = (await service.send(`/v1/audit?action=client.created&limit=100&after=${first.next}`)).body;
	expect(rest.data[0].details.name).toBe("p1");
	expect([rest.has_more, rest.next]).toEqual([false, null]);
	expect(new Set(rest.data.map(({ action }: AuditRecord) => action))).toEqual(new Set(["client.created"]));
	const ids = (await list()).map(({ id }) => id);
	expect(ids).toEqual([...ids].sort().reverse());
	expect(await list("?action=secret.set")).toEqual([]);
});

it.each([
	["?action=client.made", "invalid_request", "action"],
	["?action=client.createt", "invalid_request", "action"],
	["?limit=0", "invalid_request", "limit"],
	["?after=%20", "invalid_request", "after"],
	["?actor=cl_me", "unknown_field", "actor"],
	["?action=secret.set&action=secret.set", "invalid_request", "action"],
])("%s is refused", async (query, code, param) => {
	const { status, body } = await service.send(`/v1/audit${query}`);
	expect([status, body.error.code, body.error.param]).toEqual([400, code, param]);
});

it("needs the scope settings:read", async () => {
	const credential = await getToken(service.current(), service.credentials, "keys:write");
	const answer = await service.send("/v1/audit", { credential });
	expect([answer.status, answer.body.error.details]).toEqual([403, { scopes: ["settings:read"] }]);
	const forKeys = await service.send("/v1/audit", { credential: service.credentials.client_key });
	expect([forKeys.status, forKeys.body.error.code]).toEqual([403, "not_allowed_for_client_key"]);
});

it("another workspace has its own, and stays after a restart", async () => {
	const other = await service.current().createWorkspace("other");
	const credential = await getToken(service.current(), other);
	const mine = await list();
	expect(JSON.stringify(mine)).not.toContain(other.workspace_id);
	const theirs = await list("", credential);
	expect(theirs.map(({ action, target }) => [action, target])).toEqual([
		["workspace.created", other.workspace_id],
	]);
	expect(await list(`?after=${mine[0]?.id}`, credential)).toEqual([]);
	await service.restart();
	expect(await list()).toEqual(mine);
});
