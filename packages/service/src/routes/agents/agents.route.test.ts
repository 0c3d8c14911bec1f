import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getToken, startTestService, type TestService } from "../../http/test-support/test-service";

let service: TestService;
let handbook: string;

beforeAll(async () => {
	service = await startTestService();
	handbook = (await service.send("/v1/knowledge-bases", { json: { name: "Handbook" } })).body.id;
});
afterAll(() => service.end());

const graphOf = (...knowledgeBases: readonly string[]) => ({
	nodes: [
		{ id: "desk", kind: "coordinator", instructions: "Help {{context.customer}}." },
		{ id: "pages", kind: "knowledge", knowledgeBases },
	],
	edges: [{ from: "desk", to: "pages" }],
});

describe("a graph that names an unknown knowledge base", () => {
	const unknown = { status: 422, code: "agent_invalid", param: "graph.nodes[1].knowledgeBases[0]" };
	const create = (slug: string, base: string, more: object = {}) =>
		service.send("/v1/agents", { json: { slug, graph: graphOf(base) }, ...more });

	it("is not stored, and the slug that was meant is suggested", async () => {
		const headers = { "idempotency-key": "once" };
		const { status, body } = await create("desk", "handbok", { headers });
		expect({ status, ...body.error }).toMatchObject({
			...unknown,
			message: expect.stringContaining(`Did you mean "handbook" ("Handbook")?`),
			details: { issues: [{ code: "unknown_knowledge_base", path: ["nodes", 1, "knowledgeBases", 0] }] },
		});
		expect((await service.send("/v1/agents/desk")).status).toBe(404);
		const stored = await create("desk", handbook, { headers: { "idempotency-key": "again" } });
		expect(stored.status).toBe(201);
	});

	it("does not replace a stored one, also where the knowledge base is gone", async () => {
		const gone = (await service.send("/v1/knowledge-bases", { json: { name: "Gone" } })).body.id;
		expect((await create("old", gone)).status).toBe(201);
		await service.send(`/v1/knowledge-bases/${gone}?force=true`, { method: "DELETE" });
		const { status, body } = await service.send("/v1/agents/old", {
			method: "PUT",
			json: { graph: graphOf(gone) },
		});
		expect({ status, ...body.error }).toMatchObject(unknown);
		expect((await service.send("/v1/agents/old")).body.version).toBe(1);
		const run = await service.send("/v1/agents/old/run", {
			json: { input: "?", context: { customer: "Ada" } },
		});
		expect(JSON.stringify(run.body)).not.toContain("internal_error");
	});

	it("tells no name to a client that may not see knowledge bases", async () => {
		const credential = await getToken(service.current(), service.credentials, "agents:write");
		const { status, body } = await create("desk-2", "Handbook", { credential });
		expect({ status, ...body.error }).toMatchObject(unknown);
		expect(JSON.stringify(body)).not.toContain(handbook);
	});
});

describe("a change of a version that is no longer the newest", () => {
	const replace = (name: string, more: object = {}) =>
		service.send("/v1/agents/shared", {
			method: "PUT",
			json: { graph: { ...graphOf(handbook), name }, ...more },
		});

	it("is refused with the version that there is, and changes nothing", async () => {
		await service.send("/v1/agents", { json: { slug: "shared", graph: graphOf(handbook) } });
		expect((await replace("first", { version: 1 })).body).toMatchObject({ version: 2, name: "first" });
		const { status, body } = await replace("late", { version: 1 });
		expect({ status, ...body.error }).toMatchObject({
			status: 409,
			code: "agent_changed",
			details: { version: 2 },
		});
		expect((await service.send("/v1/agents/shared")).body.name).toBe("first");
		// Without a version, the last change counts.
		expect((await replace("any")).body).toMatchObject({ version: 3, name: "any" });
		expect((await replace("none", { version: 0 })).status).toBe(400);
	});
});

describe("a list of runs", () => {
	it("is of a period, where one is given", async () => {
		const ids = async (query: string): Promise<readonly string[]> =>
			(await service.send(`/v1/runs?${query}`)).body.data.map(({ id }: { readonly id: string }) => id);
		const { run_id } = (
			await service.send("/v1/agents/shared/run", { json: { input: "Hi", context: { customer: "Ada" } } })
		).body;
		const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
		expect(await ids(`since=2020-01-01&until=${tomorrow}`)).toContain(run_id);
		expect(await ids(`since=${tomorrow}`)).toEqual([]);
		expect(await ids("until=2020-01-01")).toEqual([]);
		expect((await service.send("/v1/runs?since=yesterday")).status).toBe(400);
	});
});

describe("the record of a run", () => {
	const json = { input: { messages: [{ role: "user", content: "Hi" }] }, context: { customer: "Ada" } };

	it("has what the run was given, for those who may see it, and not in lists", async () => {
		const { run_id } = (await service.send("/v1/agents/desk/run", { json })).body;
		const { body } = await service.send(`/v1/runs/${run_id}`);
		expect(body).toMatchObject({ id: run_id, run_id, status: "completed", ...json });
		const [listed] = (await service.send("/v1/runs")).body.data;
		expect(Object.keys(listed)).not.toEqual(expect.arrayContaining(["input"]));
		const made = await service.send("/v1/clients", { json: { name: "runs", scopes: ["agents:run"] } });
		const credential = await getToken(service.current(), {
			...service.credentials,
			client_id: made.body.id,
			client_secret: made.body.client_secret,
		});
		const seen = (await service.send(`/v1/runs/${run_id}`, { credential })).body;
		expect(seen).toMatchObject({ run_id, status: "completed" });
		expect(seen).not.toHaveProperty("input");
	});

	it("has it for a run that failed before its first node, too, and for the client key that started it", async () => {
		const key = await service.send("/v1/client-keys", { json: { name: "page", native: true } });
		const credential = key.body.client_key;
		const { run_id, run_token, error } = (
			await service.send("/v1/agents/desk/run", { json: { input: "Hi" }, credential })
		).body;
		const headers = { "stemma-run-token": run_token };
		const { body } = await service.send(`/v1/runs/${run_id}`, { credential, headers });
		expect(body).toMatchObject({ input: "Hi", context: {} });
		const { body: whole } = await service.send(`/v1/runs/${run_id}`);
		expect(whole).toMatchObject({ input: "Hi" });
		if (error !== undefined) expect(error.hint).toContain(`stemma runs show ${run_id}`);
	});
});
