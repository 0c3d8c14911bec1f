import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getToken, startTestService, type TestService } from "../../http/test-support/test-service";
import { isOnPostgres } from "../../test-support/test-database";

const PATH = "/v1/workspace/secrets";
const VALUE = "ghp-of-a-tool-5b1e88d0c4";
const SERVER = "https://8.8.8.8/mcp";
const encryption = { keys: [{ id: "one", key: { value: Buffer.alloc(32, 7).toString("base64") } }] };

interface Route {
	readonly method: string;
	readonly path: string;
	readonly json?: object;
}

const routes: readonly Route[] = [
	{ method: "GET", path: PATH },
	{ method: "PUT", path: `${PATH}/Not A Name`, json: { server_url: "nonsense" } },
	{ method: "GET", path: `${PATH}/nothing` },
	{ method: "DELETE", path: `${PATH}/nothing` },
];

let service: TestService;
const put = (name: string, json: object) => service.send(`${PATH}/${name}`, { method: "PUT", json });
const get = (name: string) => service.send(`${PATH}/${name}`);

describe("without an encryption key", () => {
	beforeAll(async () => {
		service = await startTestService();
	});
	afterAll(() => service.end());

	it.each(routes)("$method $path answers 401, then 403, then 501", async ({ path, ...route }) => {
		const send = (request: { readonly credential?: string | null } = {}) =>
			service.send(path, { ...route, ...request });
		expect((await send({ credential: null })).status).toBe(401);
		const weak = await send({ credential: await getToken(service.current(), service.credentials, "ask") });
		expect([weak.status, weak.body.error.code]).toEqual([403, "missing_scope"]);
		const { status, body } = await send();
		expect([status, body.error.code]).toEqual([501, "encryption_not_configured"]);
	});
});

describe("with an encryption key", () => {
	beforeAll(async () => {
		service = await startTestService({ encryption });
	});
	afterAll(() => service.end());

	it.skipIf(isOnPostgres())("are set, read, listed and deleted, and their value is never shown", async () => {
		const saved = await put("github", { server_url: `${SERVER}/`, value: VALUE });
		expect(saved.status).toBe(200);
		expect(saved.body).toEqual({
			name: "github",
			server_url: SERVER,
			status: "ok",
			created_at: expect.stringMatching(/Z$/),
			updated_at: saved.body.created_at,
			updated_by: service.credentials.client_id,
		});
		const [read, list] = [await get("github"), await service.send(PATH)];
		expect(read.body).toEqual(saved.body);
		expect(list.body).toEqual({ data: [saved.body], has_more: false, next: null });
		expect(readFolder(service.folder)).not.toContain(VALUE);
		expect(readFolder(service.folder)).toContain("sealed1.one.");
		const deleted = await service.send(`${PATH}/github`, { method: "DELETE" });
		expect(deleted.body).toEqual({ id: "github", deleted: true });
		expect((await get("github")).body.error).toMatchObject({ code: "secret_not_found" });
		expect((await service.send(`${PATH}/github`, { method: "DELETE" })).status).toBe(404);
	});

	it("are listed by name, page by page", async () => {
		for (const name of ["c", "a", "0", "b_2", "b-1"]) await put(name, { server_url: SERVER, value: VALUE });
		const names: string[] = [];
		for (let after = ""; ; ) {
			const { body } = await service.send(`${PATH}?limit=2${after}`);
			names.push(...body.data.map(({ name }: { name: string }) => name));
			if (!body.has_more) break;
			after = `&after=${body.next}`;
		}
		expect(names).toEqual(["0", "a", "b-1", "b_2", "c"]);
	});

	it("keep their value for the same server alone", async () => {
		await put("kept", { server_url: SERVER, value: VALUE });
		const { body } = await get("kept");
		for (const server_url of [SERVER, `${SERVER}/`, "HTTPS://8.8.8.8:443/mcp"])
			expect((await put("kept", { ...body, server_url })).body).toMatchObject({ server_url: SERVER });
		for (const server_url of [
			"https://8.8.4.4/mcp",
			"https://8.8.8.8",
			"https://8.8.8.8/mcp2",
			"https://8.8.8.8:8443/mcp",
		]) {
			const { status, body: refused } = await put("kept", { server_url });
			expect([status, refused.error.code, refused.error.param]).toEqual([422, "value_required", "value"]);
		}
		expect((await get("kept")).body).toMatchObject({ server_url: SERVER, status: "ok" });
		const moved = await put("kept", { server_url: "https://8.8.4.4/mcp", value: "another" });
		expect(moved.body).toMatchObject({ server_url: "https://8.8.4.4/mcp", created_at: body.created_at });
		expect((await put("fresh", { server_url: SERVER })).body.error.code).toBe("value_required");
	});

	it.each([
		["server_url_not_plain", "https://user:hidden-word@8.8.8.8/mcp"],
		["server_url_not_plain", "https://8.8.8.8/mcp?key=hidden-word"],
		["server_url_not_plain", "https://8.8.8.8/mcp#hidden-word"],
		["server_url_not_plain", "ftp://8.8.8.8/hidden-word"],
		["server_url_not_plain", "hidden-word"],
		["insecure_server_url", "http://8.8.8.8/hidden-word"],
		["blocked_address", "http://169.254.169.254/latest"],
		["blocked_address", "https://10.0.0.8/mcp"],
		["blocked_address", "https://[::ffff:10.0.0.8]/mcp"],
	])("refuse with %s: %s", async (code, server_url) => {
		const { status, body } = await put("refused", { server_url, value: VALUE });
		expect([status, body.error.code, body.error.param]).toEqual([422, code, "server_url"]);
		expect(JSON.stringify(body)).not.toMatch(/hidden-word|ghp-/);
		expect((await get("refused")).status).toBe(404);
	});

	it.each([
		"A",
		"-a",
		"_a",
		"a.b",
		"a%20b",
		"a%00",
		"a%2Fb",
		"%C3%A9",
		"%EF%BD%81",
		"%F0%9F%92%A5",
		"%E2%80%AEa",
		"a%0Ab",
		"%ff",
		"x".repeat(65),
	])("have no name such as %s", async (name) => {
		const { status, body } = await put(name, { server_url: SERVER, value: VALUE });
		expect([status, body.error.code, body.error.param]).toEqual([422, "invalid_name", "name"]);
	});

	it.each(["a", "0", "__proto__".slice(2, 7), "constructor", "x".repeat(64)])(
		"may be called %s",
		async (name) => {
			expect((await put(name, { server_url: SERVER, value: VALUE })).body).toMatchObject({ name });
			expect((await get(name)).body).toMatchObject({ name });
		},
	);

	it("take any text as a value, up to a length", async () => {
		for (const value of ["💥\u0000\u202e", " ", "x".repeat(16_384)])
			expect((await put("odd", { server_url: SERVER, value })).status).toBe(200);
		for (const value of ["", "x".repeat(16_385), null, 7])
			expect((await put("odd", { server_url: SERVER, value })).body.error.param).toBe("value");
		const halves = await put("odd", { server_url: SERVER, value: "\ud800" });
		expect([halves.status, halves.body.error.code]).toEqual([400, "invalid_request"]);
	});

	it("are one, whoever sets them at the same time", async () => {
		const servers = Array.from({ length: 12 }, (_, index) => `https://8.8.8.8/${index}`);
		const all = await Promise.all(servers.map((server_url) => put("race", { server_url, value: VALUE })));
		expect(all.map(({ status }) => status)).toEqual(servers.map(() => 200));
		expect((await get("race")).body.status).toBe("ok");
	});

	it("are read with settings:read, written with settings:write, and reached by no client key", async () => {
		const token = (scope: string) => getToken(service.current(), service.credentials, scope);
		const write = { method: "PUT", json: { server_url: SERVER, value: VALUE } };
		const reader = { credential: await token("settings:read") };
		expect((await service.send(PATH, reader)).status).toBe(200);
		expect((await service.send(`${PATH}/a`, { ...write, ...reader })).status).toBe(403);
		expect((await service.send(`${PATH}/a`, { method: "DELETE", ...reader })).status).toBe(403);
		const writer = { credential: await token("settings:write") };
		expect((await service.send(`${PATH}/a`, { ...write, ...writer })).status).toBe(200);
		const { body } = await service.send("/v1/client-keys", { json: { name: "app", native: true } });
		const key = { credential: body.client_key };
		for (const { path, ...route } of routes) {
			const refused = await service.send(path, { ...route, ...key });
			expect([refused.status, refused.body.error.code]).toEqual([403, "not_allowed_for_client_key"]);
		}
	});

	it("are written down with who set them, and without their value", async () => {
		await put("told", { server_url: SERVER, value: VALUE });
		await put("told", { server_url: SERVER });
		await service.send(`${PATH}/told`, { method: "DELETE" });
		await service.send(`${PATH}/told`, { method: "DELETE" });
		const { body } = await service.send("/v1/audit?limit=3");
		const by = { actor: service.credentials.client_id, target: "told" };
		expect(body.data).toMatchObject([
			{ ...by, action: "secret.deleted", details: {} },
			{ ...by, action: "secret.set", details: { server_url: SERVER, value: "kept" } },
			{ ...by, action: "secret.set", details: { server_url: SERVER, value: "replaced" } },
		]);
		expect(JSON.stringify(body)).not.toContain(VALUE);
	});
});

/** All that is stored. */
const readFolder = (folder: string): string =>
	readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"))
		.join("\n");
