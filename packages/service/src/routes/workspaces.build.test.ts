import { mkdir, readdir, readFile, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenAiSimulator, startOpenAiSimulator } from "../../../../tools/simulators/openai/simulator.ts";
import { getToken, startTestService, type TestService } from "../http/test-support/test-service";

const PATH = "/v1/workspaces";
const CANARY = "kittiwake-7f3a91";

let vendor: OpenAiSimulator;
let under: TestService;
beforeAll(async () => {
	vendor = await startOpenAiSimulator();
	under = await startTestService({
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
	await under?.end();
	await vendor?.close();
});

const create = (name: string, headers: Record<string, string> = {}) =>
	under.send(PATH, { json: { name }, headers });
const remove = (id: string, credential?: string) =>
	under.send(`${PATH}/${id}`, { method: "DELETE", ...(credential !== undefined && { credential }) });
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
	status,
	body.error?.code,
];

/** Names of the files below the data folder that have a text in them, or in their name. */
async function findTraces(text: string): Promise<string[]> {
	const found: string[] = [];
	for (const entry of await readdir(under.folder, { recursive: true, withFileTypes: true })) {
		const path = join(entry.parentPath, entry.name);
		const isTrace = entry.isFile() && (path.includes(text) || (await readFile(path)).includes(text));
		if (isTrace) found.push(path);
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
		const credential = await getToken(under.service(), body);
		expect((await under.send("/v1/knowledge-bases", { json: { name: "Docks" }, credential })).status).toBe(
			201,
		);
		expect((await under.send("/v1/knowledge-bases")).body.data).toEqual([]);
		expect((await under.send("/v1/models", { credential: body.client_key })).status).not.toBe(401);
		expect(codeOf(await under.send(PATH, { credential }))).toEqual([403, "missing_scope"]);
		expect(codeOf(await remove(under.credentials.workspace_id, credential))).toEqual([403, "missing_scope"]);
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

	it("has a name of its own", async () => {
		const { body } = await create("Lighthouse");
		const before = await readdir(join(under.folder, "workspaces"));
		expect(codeOf(await create(" Lighthouse "))).toEqual([409, "name_taken"]);
		expect(await readdir(join(under.folder, "workspaces"))).toEqual(before);
		const rename = (name: string) => under.send(`${PATH}/${body.id}`, { method: "PATCH", json: { name } });
		expect(codeOf(await rename("default"))).toEqual([409, "name_taken"]);
		expect((await rename("Lighthouse")).status).toBe(200);
		expect((await rename("Beacon")).body).toEqual({
			id: body.id,
			name: "Beacon",
			created_at: body.created_at,
			status: "available",
			storage_bytes: expect.any(Number),
		});
		expect((await under.send(`${PATH}/${body.id}`)).body.name).toBe("Beacon");
		expect((await create("Lighthouse")).status).toBe(201);
		const both = await Promise.all([create("Twin"), create("Twin")]);
		expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
	});

	it("is listed in pages, oldest first", async () => {
		const { body } = await under.send(`${PATH}?limit=100`);
		expect(body.data[0]).toEqual({
			id: under.credentials.workspace_id,
			name: "default",
			created_at: expect.any(String),
			status: "available",
			storage_bytes: expect.any(Number),
		});
		const [first, second] = body.data;
		const page = await under.send(`${PATH}?limit=1&after=${first.id}`);
		expect(page.body).toEqual({ data: [second], has_more: true, next: second.id });
	});

	it.each([
		["POST", PATH, { name: " " }],
		["POST", PATH, { name: "x", id: "ws_mine" }],
		["PATCH", `${PATH}/ws_1`, {}],
	])("%s %s refuses %j", async (method, path, json) => {
		expect((await under.send(path, { method, json })).status).toBe(400);
	});

	it.each(["GET", "PATCH", "DELETE"])("that does not exist is 404: %s", async (method) => {
		const json = method === "PATCH" ? { name: "x" } : undefined;
		const answer = await under.send(`${PATH}/ws_missing`, { method, ...(json && { json }) });
		expect(codeOf(answer)).toEqual([404, "workspace_not_found"]);
	});
});

describe("the scope deployment:write", () => {
	it("is given by name alone, and by nobody who lacks it", async () => {
		const made = await under.send("/v1/clients", { json: { name: "as usual" } });
		expect(made.body.scopes).not.toContain("deployment:write");
		const credential = await getToken(under.service(), under.credentials, "keys:write ask");
		const json = { name: "more", scopes: ["deployment:write"] };
		expect(codeOf(await under.send("/v1/clients", { json, credential }))).toEqual([403, "missing_scope"]);
		const named = await under.send("/v1/clients", { json });
		expect(named.body.scopes).toEqual(["deployment:write"]);
		const narrow = await getToken(under.service(), {
			client_id: named.body.id,
			client_secret: named.body.client_secret,
		});
		expect((await under.send(PATH, { credential: narrow })).status).toBe(200);
		for (const path of ["/v1/knowledge-bases", "/v1/runs", "/v1/audit", "/v1/clients", "/v1/usage"])
			expect(codeOf(await under.send(path, { credential: narrow }))).toEqual([403, "missing_scope"]);
		expect(
			codeOf(
				await under.send("/v1/client-keys", {
					json: { name: "x", native: true, scopes: ["deployment:write"] },
				}),
			),
		).toEqual([400, "invalid_request"]);
	});
});

describe("a deletion", () => {
	it("leaves nothing of the workspace, on the disk and in memory", async () => {
		const { body: made } = await create(`${CANARY} workspace`);
		const credential = await getToken(under.service(), made);
		const send = (path: string, json?: unknown) =>
			under.send(path, { credential, ...(json !== undefined && { json }) });
		const base = (await send("/v1/knowledge-bases", { name: `${CANARY} base` })).body.id;
		const text = `# ${CANARY}\n\nThe ${CANARY} nests on cliffs.`;
		await send(`/v1/knowledge-bases/${base}/documents`, { text });
		await expect.poll(async () => (await send(`/v1/knowledge-bases/${base}`)).body.documents.ready).toBe(1);
		expect((await send("/v1/clients", { name: `${CANARY} client` })).status).toBe(201);
		expect((await send("/v1/client-keys", { name: `${CANARY} key`, native: true })).status).toBe(201);
		const headers = { "idempotency-key": CANARY };
		await under.send("/v1/knowledge-bases", { credential, json: { name: "kept" }, headers });
		expect((await send("/v1/ask", { question: `Where does the ${CANARY} nest?` })).status).toBeGreaterThan(0);
		expect((await findTraces(CANARY)).length).toBeGreaterThan(0);

		expect((await remove(made.id)).body).toEqual({ id: made.id, deleted: true });
		expect(codeOf(await remove(made.id))).toEqual([404, "workspace_not_found"]);
		for (const sent of [credential, made.client_key])
			expect(codeOf(await under.send("/v1/search", { json: {}, credential: sent }))).toEqual([
				401,
				"invalid_credentials",
			]);
		await expect(getToken(under.service(), made)).rejects.toThrow("invalid_client");
		expect((await under.send(`${PATH}?limit=100`)).body.data).not.toContainEqual(
			expect.objectContaining({ id: made.id }),
		);
		expect(
			(await readdir(join(under.folder, "workspaces"))).filter((name) => name.includes(made.id)),
		).toEqual([]);
		// The audit of whoever deleted it names it, and nothing that was in it.
		const { data } = (await under.send("/v1/audit?action=workspace.deleted")).body;
		expect(data).toMatchObject([
			{
				actor: under.credentials.client_id,
				target: made.id,
				details: { name: `${CANARY} workspace` },
			},
		]);
		for (const thing of ["base", "client", "key", "nests"])
			expect(await findTraces(`${CANARY} ${thing}`)).toEqual([]);
		await under.restart();
		expect(codeOf(await under.send(`${PATH}/${made.id}`))).toEqual([404, "workspace_not_found"]);
		expect((await create(`${CANARY} workspace`)).status).toBe(201);
	});

	it("does not meet the reading of documents elsewhere", async () => {
		const { body: one } = await create("One");
		const { body: two } = await create("Two");
		const credential = await getToken(under.service(), two);
		await remove(one.id);
		const json = { name: "Read on" };
		const base = (await under.send("/v1/knowledge-bases", { json, credential })).body.id;
		const text = "Still read.";
		await under.send(`/v1/knowledge-bases/${base}/documents`, { json: { text }, credential });
		await expect
			.poll(
				async () => (await under.send(`/v1/knowledge-bases/${base}`, { credential })).body.documents.ready,
			)
			.toBe(1);
	});

	it("is refused while runs are in flight, and changes nothing then", async () => {
		const { body: made } = await create("Busy");
		const credential = await getToken(under.service(), made);
		const graph = { nodes: [{ id: "desk", kind: "coordinator" }], edges: [] };
		const { id } = (await under.send("/v1/agents", { json: { graph }, credential })).body;
		vendor.enqueue({ kind: "silence" });
		const asked = vendor.requests.length;
		const run = { input: "Hello?", background: true };
		const started = await under.send(`/v1/agents/${id}/run`, { json: run, credential });
		expect(started.status).toBe(202);
		await expect.poll(() => vendor.requests.length).toBe(asked + 1);
		expect(codeOf(await remove(made.id))).toEqual([409, "runs_in_flight"]);
		expect((await under.send("/v1/agents", { credential })).body.data).toHaveLength(1);
		const cancelled = `/v1/runs/${started.body.id}/cancel`;
		expect((await under.send(cancelled, { method: "POST", credential })).status).toBe(200);
		expect((await remove(made.id)).status).toBe(200);
	});

	it.each([
		["an answer", "/v1/ask", false, 2],
		["a streamed answer", "/v1/ask", true, 2],
		["a completion", "/v1/chat/completions", false, 1],
		["a streamed completion", "/v1/chat/completions", true, 1],
	])("is refused while %s is made, and changes nothing then", async (name, path, stream, calls) => {
		const { body: made } = await create(`Busy with ${name}`);
		const credential = await getToken(under.service(), made);
		const base = (await under.send("/v1/knowledge-bases", { json: { name: "Ferries" }, credential })).body.id;
		const text = "The ferry leaves the harbour at nine.";
		await under.send(`/v1/knowledge-bases/${base}/documents`, { json: { text }, credential });
		await expect
			.poll(
				async () => (await under.send(`/v1/knowledge-bases/${base}`, { credential })).body.documents.ready,
			)
			.toBe(1);
		const question = "When does the ferry leave the harbour?";
		const json = path.endsWith("ask")
			? { question, stream }
			: { model: "default", messages: [{ role: "user", content: question }], stream };
		vendor.enqueue({ kind: "silence" });
		const asked = vendor.requests.length;
		const client = new AbortController();
		under.send(path, { json, credential, signal: client.signal }).catch(() => undefined);
		// A question has its passages scored first.
		await expect.poll(() => vendor.requests.length).toBe(asked + calls);
		expect(codeOf(await remove(made.id))).toEqual([409, "runs_in_flight"]);
		expect((await under.send("/v1/knowledge-bases", { credential })).body.data).toHaveLength(1);
		client.abort();
		await expect.poll(async () => (await remove(made.id)).status, { timeout: 10_000 }).toBe(200);
	});

	it("that failed half-way goes on when it is asked for again", async () => {
		const { body: made } = await create("Stubborn");
		const credential = await getToken(under.service(), made);
		const path = join(under.folder, "workspaces", `${made.id}.sqlite-journal`);
		// A folder is no file that can be deleted.
		await mkdir(path);
		expect((await remove(made.id)).status).toBe(503);
		expect(codeOf(await under.send("/v1/knowledge-bases", { credential }))).toEqual([
			401,
			"invalid_credentials",
		]);
		expect((await remove(made.id)).status).toBe(503);
		await rmdir(path);
		const both = await Promise.all([remove(made.id), remove(made.id)]);
		expect(both.map(({ status }) => status)).toEqual([200, 200]);
		const left = await readdir(join(under.folder, "workspaces"));
		expect(left.filter((file) => file.includes(made.id))).toEqual([]);
		expect(codeOf(await remove(made.id))).toEqual([404, "workspace_not_found"]);
	});

	it("is refused for the caller's own workspace, and for the last one", async () => {
		const own = under.credentials.workspace_id;
		expect(codeOf(await remove(own))).toEqual([409, "workspace_in_use"]);
		for (const { id } of (await under.send(`${PATH}?limit=100`)).body.data)
			if (id !== own) expect((await remove(id)).status).toBe(200);
		expect(codeOf(await remove(own))).toEqual([409, "last_workspace"]);
		expect((await under.send("/v1/knowledge-bases")).status).toBe(200);
	});
});
