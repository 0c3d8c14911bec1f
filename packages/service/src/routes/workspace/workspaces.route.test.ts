import { mkdir, readdir, readFile, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getToken, startTestService, type TestService } from "../../http/test-support/test-service";
import { isOnPostgres } from "../../test-support/test-database";

const PATH = "/v1/workspaces";
const CANARY = "kittiwake-7f3a91";

let vendor: OpenAiSimulator;
let service: TestService;
beforeAll(async () => {
	vendor = await startOpenAiSimulator();
	service = await startTestService({
		providers: {
			host: {
				provider: "openai-compatible",
				base_url: vendor.baseUrl,
				credential: { value: "sk-of-the-host" },
				default_model: "host-model",
			},
		},
		chat: "host",
	});
});
afterAll(async () => {
	await service?.end();
	await vendor?.close();
});

const create = (name: string, headers: Record<string, string> = {}) =>
	service.send(PATH, { json: { name }, headers });
const remove = (id: string, credential?: string) =>
	service.send(`${PATH}/${id}`, { method: "DELETE", ...(credential !== undefined && { credential }) });
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
	status,
	body.error?.code,
];

/** Names of the files below the data folder that have a text in them, or in their name. */
async function findRemains(text: string): Promise<string[]> {
	const found: string[] = [];
	for (const entry of await readdir(service.folder, { recursive: true, withFileTypes: true })) {
		const path = join(entry.parentPath, entry.name);
		const isRemains = entry.isFile() && (path.includes(text) || (await readFile(path)).includes(text));
		if (isRemains) found.push(path);
	}
	return found;
}

describe("a workspace", () => {
	it("is created with its first credentials, which open it and nothing else", async () => {
		const { status, body } = await create("Harbour");
		expect([status, body]).toEqual([
			201,
			{
				id: expect.stringMatching(/^ws_/),
				name: "Harbour",
				created_at: expect.any(String),
				status: "available",
				storage_bytes: expect.any(Number),
				client_id: expect.stringMatching(/^cl_/),
				client_secret: expect.stringMatching(/^cs_/),
				client_key: expect.stringMatching(/^ck_/),
			},
		]);
		const credential = await getToken(service.current(), body);
		expect((await service.send("/v1/knowledge-bases", { json: { name: "Docks" }, credential })).status).toBe(
			201,
		);
		expect((await service.send("/v1/knowledge-bases")).body.data).toEqual([]);
		expect((await service.send("/v1/models", { credential: body.client_key })).status).not.toBe(401);
		expect(codeOf(await service.send(PATH, { credential }))).toEqual([403, "missing_scope"]);
		expect(codeOf(await remove(service.credentials.workspace_id, credential))).toEqual([
			403,
			"missing_scope",
		]);
	});

	it("shows its secrets once, also where a request is sent twice", async () => {
		const headers = { "idempotency-key": "one" };
		const first = await create("Once", headers);
		const second = await create("Once", headers);
		expect(codeOf(second)).toEqual([409, "already_created"]);
		expect(second.body.error.details).toEqual({ id: first.body.id });
		expect(JSON.stringify(second.body)).not.toContain("cs_");
		expect(codeOf(await create("Another", headers))).toEqual([409, "idempotency_conflict"]);
	});

	it.skipIf(isOnPostgres())("has a name of its own", async () => {
		const { body } = await create("Lighthouse");
		const before = await readdir(join(service.folder, "workspaces"));
		expect(codeOf(await create(" Lighthouse "))).toEqual([409, "name_taken"]);
		expect(await readdir(join(service.folder, "workspaces"))).toEqual(before);
		const rename = (name: string) => service.send(`${PATH}/${body.id}`, { method: "PATCH", json: { name } });
		expect(codeOf(await rename("default"))).toEqual([409, "name_taken"]);
		expect((await rename("Lighthouse")).status).toBe(200);
		expect((await rename("Beacon")).body).toEqual({
			id: body.id,
			name: "Beacon",
			created_at: body.created_at,
			status: "available",
			storage_bytes: expect.any(Number),
		});
		expect((await service.send(`${PATH}/${body.id}`)).body.name).toBe("Beacon");
		expect((await create("Lighthouse")).status).toBe(201);
		const both = await Promise.all([create("Twin"), create("Twin")]);
		expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
	});

	it("is listed in pages, oldest first", async () => {
		const { body } = await service.send(`${PATH}?limit=100`);
		expect(body.data[0]).toEqual({
			id: service.credentials.workspace_id,
			name: "default",
			created_at: expect.any(String),
			status: "available",
			storage_bytes: expect.any(Number),
		});
		const [first, second] = body.data;
		const page = await service.send(`${PATH}?limit=1&after=${first.id}`);
		expect(page.body).toEqual({ data: [second], has_more: true, next: second.id });
	});

	it.each([
		["POST", PATH, { name: " " }],
		["POST", PATH, { name: "x", id: "ws_mine" }],
		["PATCH", `${PATH}/ws_1`, {}],
	])("%s %s refuses %j", async (method, path, json) => {
		expect((await service.send(path, { method, json })).status).toBe(400);
	});

	it.each(["GET", "PATCH", "DELETE"])("that does not exist is 404: %s", async (method) => {
		const json = method === "PATCH" ? { name: "x" } : undefined;
		const answer = await service.send(`${PATH}/ws_missing`, { method, ...(json && { json }) });
		expect(codeOf(answer)).toEqual([404, "workspace_not_found"]);
	});
});

describe("the scope deployment:write", () => {
	it("is given by name alone, and by nobody who lacks it", async () => {
		const made = await service.send("/v1/clients", { json: { name: "as usual" } });
		expect(made.body.scopes).not.toContain("deployment:write");
		const credential = await getToken(service.current(), service.credentials, "keys:write ask");
		const json = { name: "more", scopes: ["deployment:write"] };
		expect(codeOf(await service.send("/v1/clients", { json, credential }))).toEqual([403, "missing_scope"]);
		const named = await service.send("/v1/clients", { json });
		expect(named.body.scopes).toEqual(["deployment:write"]);
		const narrow = await getToken(service.current(), {
			client_id: named.body.id,
			client_secret: named.body.client_secret,
		});
		expect((await service.send(PATH, { credential: narrow })).status).toBe(200);
		for (const path of ["/v1/knowledge-bases", "/v1/runs", "/v1/audit", "/v1/clients", "/v1/usage"])
			expect(codeOf(await service.send(path, { credential: narrow }))).toEqual([403, "missing_scope"]);
		expect(
			codeOf(
				await service.send("/v1/client-keys", {
					json: { name: "x", native: true, scopes: ["deployment:write"] },
				}),
			),
		).toEqual([400, "invalid_request"]);
	});
});

describe("a deletion", () => {
	it.skipIf(isOnPostgres())("leaves nothing of the workspace, on the disk and in memory", async () => {
		const { body: made } = await create(`${CANARY} workspace`);
		const credential = await getToken(service.current(), made);
		const send = (path: string, json?: unknown) =>
			service.send(path, { credential, ...(json !== undefined && { json }) });
		const base = (await send("/v1/knowledge-bases", { name: `${CANARY} base` })).body.id;
		const text = `# ${CANARY}\n\nThe ${CANARY} nests on cliffs.`;
		await send(`/v1/knowledge-bases/${base}/documents`, { text });
		await expect.poll(async () => (await send(`/v1/knowledge-bases/${base}`)).body.documents.ready).toBe(1);
		expect((await send("/v1/clients", { name: `${CANARY} client` })).status).toBe(201);
		expect((await send("/v1/client-keys", { name: `${CANARY} key`, native: true })).status).toBe(201);
		const headers = { "idempotency-key": CANARY };
		await service.send("/v1/knowledge-bases", { credential, json: { name: "kept" }, headers });
		expect((await send("/v1/ask", { question: `Where does the ${CANARY} nest?` })).status).toBeGreaterThan(0);
		expect((await findRemains(CANARY)).length).toBeGreaterThan(0);

		expect((await remove(made.id)).body).toEqual({ id: made.id, deleted: true });
		expect(codeOf(await remove(made.id))).toEqual([404, "workspace_not_found"]);
		for (const sent of [credential, made.client_key])
			expect(codeOf(await service.send("/v1/search", { json: {}, credential: sent }))).toEqual([
				401,
				"invalid_credentials",
			]);
		await expect(getToken(service.current(), made)).rejects.toThrow("invalid_client");
		expect((await service.send(`${PATH}?limit=100`)).body.data).not.toContainEqual(
			expect.objectContaining({ id: made.id }),
		);
		expect(
			(await readdir(join(service.folder, "workspaces"))).filter((name) => name.includes(made.id)),
		).toEqual([]);
		// The audit of whoever deleted it names it, and nothing that was in it.
		const { data } = (await service.send("/v1/audit?action=workspace.deleted")).body;
		expect(data).toMatchObject([
			{
				actor: service.credentials.client_id,
				target: made.id,
				details: { name: `${CANARY} workspace` },
			},
		]);
		for (const thing of ["base", "client", "key", "nests"])
			expect(await findRemains(`${CANARY} ${thing}`)).toEqual([]);
		await service.restart();
		expect(codeOf(await service.send(`${PATH}/${made.id}`))).toEqual([404, "workspace_not_found"]);
		expect((await create(`${CANARY} workspace`)).status).toBe(201);
	});

	it("does not meet the reading of documents elsewhere", async () => {
		const { body: one } = await create("One");
		const { body: two } = await create("Two");
		const credential = await getToken(service.current(), two);
		await remove(one.id);
		const json = { name: "Read on" };
		const base = (await service.send("/v1/knowledge-bases", { json, credential })).body.id;
		const text = "Still read.";
		await service.send(`/v1/knowledge-bases/${base}/documents`, { json: { text }, credential });
		await expect
			.poll(
				async () => (await service.send(`/v1/knowledge-bases/${base}`, { credential })).body.documents.ready,
			)
			.toBe(1);
	});

	it("is refused while runs are in flight, and changes nothing then", async () => {
		const { body: made } = await create("Busy");
		const credential = await getToken(service.current(), made);
		const graph = { nodes: [{ id: "desk", kind: "coordinator" }], edges: [] };
		const { id } = (await service.send("/v1/agents", { json: { graph }, credential })).body;
		vendor.enqueue({ kind: "silence" });
		const requestCount = vendor.requests.length;
		const run = { input: "Hello?", background: true };
		const started = await service.send(`/v1/agents/${id}/run`, { json: run, credential });
		expect(started.status).toBe(202);
		await expect.poll(() => vendor.requests.length).toBe(requestCount + 1);
		expect(codeOf(await remove(made.id))).toEqual([409, "runs_in_flight"]);
		expect((await service.send("/v1/agents", { credential })).body.data).toHaveLength(1);
		const cancelled = `/v1/runs/${started.body.id}/cancel`;
		expect((await service.send(cancelled, { method: "POST", credential })).status).toBe(200);
		expect((await remove(made.id)).status).toBe(200);
	});

	it.each([
		["an answer", "/v1/ask", false, 2],
		["a streamed answer", "/v1/ask", true, 2],
		["a completion", "/v1/chat/completions", false, 1],
		["a streamed completion", "/v1/chat/completions", true, 1],
	])("is refused while %s is made, and changes nothing then", async (name, path, stream, calls) => {
		const { body: made } = await create(`Busy with ${name}`);
		const credential = await getToken(service.current(), made);
		const base = (await service.send("/v1/knowledge-bases", { json: { name: "Ferries" }, credential })).body
			.id;
		const text = "The ferry leaves the harbour at nine.";
		await service.send(`/v1/knowledge-bases/${base}/documents`, { json: { text }, credential });
		await expect
			.poll(
				async () => (await service.send(`/v1/knowledge-bases/${base}`, { credential })).body.documents.ready,
			)
			.toBe(1);
		const question = "When does the ferry leave the harbour?";
		const json = path.endsWith("ask")
			? { question, stream }
			: { model: "default", messages: [{ role: "user", content: question }], stream };
		vendor.enqueue({ kind: "silence" });
		const requestCount = vendor.requests.length;
		const client = new AbortController();
		service.send(path, { json, credential, signal: client.signal }).catch(() => undefined);
		// A question has its passages scored first.
		await expect.poll(() => vendor.requests.length).toBe(requestCount + calls);
		expect(codeOf(await remove(made.id))).toEqual([409, "runs_in_flight"]);
		expect((await service.send("/v1/knowledge-bases", { credential })).body.data).toHaveLength(1);
		client.abort();
		await expect.poll(async () => (await remove(made.id)).status).toBe(200);
	});

	it.skipIf(isOnPostgres())("that failed half-way goes on when it is asked for again", async () => {
		const { body: made } = await create("Stubborn");
		const credential = await getToken(service.current(), made);
		const path = join(service.folder, "workspaces", `${made.id}.sqlite-journal`);
		// A folder is no file that can be deleted.
		await mkdir(path);
		expect((await remove(made.id)).status).toBe(503);
		expect(codeOf(await service.send("/v1/knowledge-bases", { credential }))).toEqual([
			401,
			"invalid_credentials",
		]);
		expect((await remove(made.id)).status).toBe(503);
		await rmdir(path);
		const both = await Promise.all([remove(made.id), remove(made.id)]);
		expect(both.map(({ status }) => status)).toEqual([200, 200]);
		const left = await readdir(join(service.folder, "workspaces"));
		expect(left.filter((file) => file.includes(made.id))).toEqual([]);
		expect(codeOf(await remove(made.id))).toEqual([404, "workspace_not_found"]);
	});

	it("is refused for the caller's own workspace, and for the last one", async () => {
		const own = service.credentials.workspace_id;
		expect(codeOf(await remove(own))).toEqual([409, "workspace_in_use"]);
		for (const { id } of (await service.send(`${PATH}?limit=100`)).body.data)
			if (id !== own) expect((await remove(id)).status).toBe(200);
		expect(codeOf(await remove(own))).toEqual([409, "last_workspace"]);
		expect((await service.send("/v1/knowledge-bases")).status).toBe(200);
	});
});
