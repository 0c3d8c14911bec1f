import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
	getToken,
	requestToken,
	startTestService,
	type TestService,
} from "../../http/test-support/test-service";

let service: TestService;
beforeAll(async () => {
	service = await startTestService();
});
afterAll(() => service.end());

const create = (json: unknown, headers = {}) => service.send("/v1/clients", { json, headers });
const tokenOf = ({ id, client_secret }: { id: string; client_secret: string }, scope?: string) =>
	getToken(service.current(), { client_id: id, client_secret }, scope);

test("a client is made, listed, read and deleted; its secret is shown once", async () => {
	const { status, body } = await create({ name: "backend", scopes: ["ask", "ask"] });
	expect(status).toBe(201);
	expect(body).toEqual({
		id: expect.stringMatching(/^cl_[0-9a-z]{26}$/),
		name: "backend",
		scopes: ["ask"],
		created_at: expect.stringMatching(/^\d{4}-.*Z$/),
		client_secret: expect.stringMatching(/^cs_[\w-]{43}$/),
	});
	const { client_secret, ...client } = body;
	expect((await service.send(`/v1/clients/${client.id}`)).body).toEqual(client);
	const list = (await service.send("/v1/clients?limit=100")).body;
	expect(list.data).toContainEqual(client);
	const token = await tokenOf(body);
	expect((await service.send(`/v1/clients/${client.id}`, { method: "DELETE" })).body).toEqual({
		id: client.id,
		deleted: true,
	});
	expect((await service.send("/v1/models", { credential: token })).status).toBe(401);
	for (const method of ["GET", "DELETE"]) {
		const again = await service.send(`/v1/clients/${client.id}`, { method });
		expect([again.status, again.body.error.code]).toEqual([404, "client_not_found"]);
	}
});

test("a list comes in pages, oldest first", async () => {
	for (const name of ["p1", "p2", "p3"]) await create({ name });
	const first = (await service.send("/v1/clients?limit=2")).body;
	expect([first.data.length, first.has_more, first.next]).toEqual([2, true, first.data[1].id]);
	const rest = (await service.send(`/v1/clients?limit=100&after=${first.next}`)).body;
	expect([rest.has_more, rest.next]).toEqual([false, null]);
	const ids = [...first.data, ...rest.data].map(({ id }) => id);
	expect(ids).toEqual([...ids].sort());
	expect(new Set(ids).size).toBe(ids.length);
	expect((await service.send("/v1/clients?limt=2")).body.error).toMatchObject({
		code: "unknown_field",
		param: "limt",
	});
});

describe("rotating", () => {
	test("ends the old secret and its tokens at once", async () => {
		const { body: client } = await create({ name: "rotated", scopes: ["ask"] });
		const token = await tokenOf(client);
		expect((await service.send("/v1/models", { credential: token })).status).toBe(200);
		const rotated = await service.send(`/v1/clients/${client.id}/rotate`, { method: "POST" });
		expect(rotated.body).toEqual({ ...client, client_secret: expect.any(String) });
		expect(rotated.body.client_secret).not.toBe(client.client_secret);
		const answer = await service.send("/v1/models", { credential: token });
		expect([answer.status, answer.body.error.code]).toEqual([401, "invalid_credentials"]);
		const { id: client_id, client_secret } = client;
		const old = await requestToken(service.current(), {
			grant_type: "client_credentials",
			client_id,
			client_secret,
		});
		expect(old.body.error).toBe("invalid_client");
		expect((await service.send("/v1/models", { credential: await tokenOf(rotated.body) })).status).toBe(200);
	});
	test("is no way to scopes that one lacks", async () => {
		const { body: keeper } = await create({ name: "keeper", scopes: ["keys:write"] });
		const credential = await tokenOf(keeper);
		const answer = await service.send(`/v1/clients/${service.credentials.client_id}/rotate`, {
			method: "POST",
			credential,
		});
		expect([answer.status, answer.body.error.code]).toEqual([403, "missing_scope"]);
	});
});

describe("nobody", () => {
	test("gives scopes that they lack, or that their token lacks", async () => {
		const narrow = await getToken(service.current(), service.credentials, "keys:write ask");
		const made = await service.send("/v1/clients", { json: { name: "x" }, credential: narrow });
		expect(made.body.scopes).toEqual(
			["ask", "keys:write"].sort((a, b) => made.body.scopes.indexOf(a) - made.body.scopes.indexOf(b)),
		);
		const refused = await service.send("/v1/clients", {
			json: { name: "x", scopes: ["ask", "knowledge:write"] },
			credential: narrow,
		});
		expect([refused.status, refused.body.error.details]).toEqual([403, { scopes: ["knowledge:write"] }]);
	});
	test("deletes themselves", async () => {
		const answer = await service.send(`/v1/clients/${service.credentials.client_id}`, { method: "DELETE" });
		expect([answer.status, answer.body.error.code]).toEqual([409, "client_in_use"]);
	});
	test("comes in without a valid credential", async () => {
		for (const credential of ["tok_wrong", "cs_wrong", "x".repeat(500), "ck_wrong"]) {
			const answer = await service.send("/v1/clients", { credential });
			expect([answer.status, answer.body.error.code]).toEqual([401, "invalid_credentials"]);
			expect(answer.headers.get("www-authenticate")).toBe("Bearer");
		}
		expect((await service.send("/v1/clients", { credential: null })).body.error.code).toBe(
			"missing_credentials",
		);
	});
});

test.each([
	[{}, "invalid_request", "name"],
	[{ name: "x", scopes: ["everything"] }, "invalid_request", "scopes[0]"],
	[{ name: "x", scope: "ask" }, "unknown_field", "scope"],
])("%j is refused", async (json, code, param) => {
	const { status, body } = await create(json);
	expect([status, body.error.code, body.error.param]).toEqual([400, code, param]);
});

test("the same request again makes no second one, and does not show the secret again", async () => {
	const headers = { "idempotency-key": "once" };
	const { body } = await create({ name: "once" }, headers);
	const again = await create({ name: "once" }, headers);
	expect([again.status, again.body.error.code, again.body.error.details]).toEqual([
		409,
		"already_created",
		{ id: body.id },
	]);
	expect((await create({ name: "twice" }, headers)).body.error.code).toBe("idempotency_conflict");
	await service.restart();
	expect((await create({ name: "once" }, headers)).body.error.code).toBe("already_created");
	const { data } = (await service.send("/v1/clients?limit=100")).body;
	expect(data.filter(({ name }: { name: string }) => name === "once")).toHaveLength(1);
	await service.send(`/v1/clients/${body.id}`, { method: "DELETE" });
	expect((await create({ name: "once" }, headers)).body.error.code).toBe("already_created");
});

test("workspaces know nothing of one another", async () => {
	const other = await service.current().createWorkspace("other");
	const credential = await getToken(service.current(), other);
	const first = service.credentials;
	const clients = (await service.send("/v1/clients", { credential })).body.data;
	expect(clients.map(({ id }: { id: string }) => id)).toEqual([other.client_id]);
	const keys = (await service.send("/v1/client-keys", { credential })).body.data;
	expect(keys).toHaveLength(1);
	const firstKey = first.client_key.slice(0, 29);
	for (const [path, method] of [
		[`/v1/clients/${first.client_id}`, "GET"],
		[`/v1/clients/${first.client_id}`, "DELETE"],
		[`/v1/clients/${first.client_id}/rotate`, "POST"],
		[`/v1/client-keys/${firstKey}`, "GET"],
		[`/v1/client-keys/${firstKey}`, "DELETE"],
	] as const)
		expect((await service.send(path, { method, credential })).status).toBe(404);
	expect((await service.send(`/v1/client-keys/${firstKey}`)).status).toBe(200);
	expect((await service.send(`/v1/clients/${other.client_id}`)).status).toBe(404);
});
