import type { AgentVersion, AgentVersionSummary, Page, StoredAgent } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPeople, type TestPeople, type TestUser } from "../../people/test-support/people-fixture";
import { expectApiError } from "../../test-support/expect-error";
import { addTenant, getBody, type Tenant, toKnowledgeGraph } from "../../test-support/tenant";
import { openTestDeployment, type TestDeployment } from "../../test-support/test-deployment";

let deployment: TestDeployment;
let mine: Tenant;
let people: TestPeople;
let ada: TestUser;
let bob: TestUser;
beforeAll(async () => {
	deployment = await openTestDeployment(built);
	mine = await addTenant(deployment, "aardvark");
	people = createPeople(deployment, mine);
	ada = await people.addUser("ada@example.com", "editor");
	bob = await people.addUser("bob@example.com", "editor");
});
afterAll(() => deployment?.close());

const toGraph = (name: string) => ({ name, nodes: [{ id: "desk", kind: "coordinator" }] });
const create = (slug: string, more: object = {}) =>
	getBody<StoredAgent>(ada.send("POST", "/v1/agents", { json: { slug, graph: toGraph("one"), ...more } }));
const replace = (slug: string, name: string, more: object = {}) =>
	getBody<StoredAgent>(mine.send("PUT", `/v1/agents/${slug}`, { json: { graph: toGraph(name), ...more } }));
const listVersions = async (path: string) => getBody<Page<AgentVersionSummary>>(ada.send("GET", path));

describe("the versions of an agent", () => {
	it("are its graphs, each with its author and the reason, in pages from the newest on", async () => {
		const { id } = await create("front-desk", { note: "First." });
		await replace("front-desk", "two", { note: "Shorter." });
		await replace("front-desk", "two", { note: "The same graph." });
		await replace("front-desk", "three");
		const page = await listVersions("/v1/agents/front-desk/versions?limit=2");
		expect(page).toMatchObject({
			data: [
				{ agent_id: id, number: 3, name: "three", note: null, created_by: mine.credentials.client_id },
				{ number: 2, name: "two", note: "Shorter.", restored_from: null },
			],
			has_more: true,
			next: "2",
		});
		const last = await listVersions("/v1/agents/front-desk/versions?limit=2&after=2");
		expect(last).toMatchObject({
			data: [{ number: 1, name: "one", note: "First.", created_by: ada.session.user.id }],
			has_more: false,
		});
		const version = await getBody<AgentVersion>(ada.send("GET", `/v1/agents/${id}/versions/1`));
		expect(version).toEqual({ ...last.data[0], graph: toGraph("one") });
		expectApiError(await ada.send("GET", "/v1/agents/front-desk/versions?after=x"), 400, "invalid_request");
		for (const number of ["4", "0", "x", "1.5", "99999999999999999"])
			expectApiError(
				await ada.send("GET", `/v1/agents/front-desk/versions/${number}`),
				404,
				"agent_version_not_found",
			);
	});

	it("go with the agent, and another one under its slug has none of them", async () => {
		await create("short-lived");
		await replace("short-lived", "two");
		await ada.send("DELETE", "/v1/agents/short-lived");
		expectApiError(await ada.send("GET", "/v1/agents/short-lived/versions"), 404, "agent_not_found");
		await create("short-lived");
		expect((await listVersions("/v1/agents/short-lived/versions")).data).toHaveLength(1);
	});

	it("are named by runs, and the one that ran is read by that number", async () => {
		const { id } = await create("runner");
		const { run_id } = await getBody<{ run_id: string }>(
			ada.send("POST", "/v1/agents/runner/run", { json: { input: "Hi" } }),
		);
		await replace("runner", "two");
		const run = await getBody<{ agent_version: number }>(ada.send("GET", `/v1/runs/${run_id}`));
		const version = await ada.send("GET", `/v1/agents/${id}/versions/${run.agent_version}`);
		expect(await getBody(Promise.resolve(version))).toMatchObject({ number: 1, graph: toGraph("one") });
	});
});

describe("restoring a version", () => {
	const restore = (slug: string, number: number, json: object = {}, headers: Record<string, string> = {}) =>
		bob.send("POST", `/v1/agents/${slug}/versions/${number}/restore`, { json, headers });

	it("makes the newest version of it, and keeps what came between", async () => {
		await create("office");
		await replace("office", "two");
		const restored = await getBody<StoredAgent>(restore("office", 1, { version: 2, note: "Two was wrong." }));
		expect(restored).toMatchObject({ version: 3, name: "one", graph: toGraph("one") });
		const { data } = await listVersions("/v1/agents/office/versions");
		expect(data.map(({ number, restored_from }) => [number, restored_from])).toEqual([
			[3, 1],
			[2, null],
			[1, null],
		]);
		expect(data[0]).toMatchObject({ note: "Two was wrong.", created_by: bob.session.user.id });
	});

	it("changes nothing where the agent has that graph, and is done once for one key", async () => {
		await create("quiet");
		expect(await getBody(restore("quiet", 1))).toMatchObject({ version: 1 });
		await replace("quiet", "two");
		const key = { "idempotency-key": "once" };
		for (let time = 0; time < 2; time += 1)
			expect(await getBody(restore("quiet", 1, { version: 2 }, key))).toMatchObject({ version: 3 });
	});

	it("is refused where somebody else was faster, and for what is not there", async () => {
		await create("busy");
		await replace("busy", "two");
		const response = await restore("busy", 1, { version: 1 });
		expectApiError(response, 409, "agent_changed");
		expect((await getBody<StoredAgent>(ada.send("GET", "/v1/agents/busy"))).version).toBe(2);
		expectApiError(await restore("busy", 9), 404, "agent_version_not_found");
		expectApiError(await restore("busy", 1, { note: "x".repeat(501) }), 400, "invalid_request");
	});

	it("is checked against the rules of today", async () => {
		const base = await getBody<{ id: string }>(
			ada.send("POST", "/v1/knowledge-bases", { json: { name: "Gone" } }),
		);
		await create("reader", { graph: toKnowledgeGraph("desk", base.id) });
		await replace("reader", "two");
		await ada.send("DELETE", `/v1/knowledge-bases/${base.id}`);
		expectApiError(await restore("reader", 1), 422, "agent_invalid");
		expect((await getBody<StoredAgent>(ada.send("GET", "/v1/agents/reader"))).version).toBe(2);
	});
});

describe("a version that names what a member may not use", () => {
	it("is not there for them", async () => {
		const base = await getBody<{ id: string; slug: string }>(
			ada.send("POST", "/v1/knowledge-bases", { json: { name: "Salaries" } }),
		);
		await create("payroll", { graph: toKnowledgeGraph("desk", base.slug) });
		await replace("payroll", "two");
		const access = { users: [ada.session.user.id] };
		await getBody(ada.send("PATCH", `/v1/knowledge-bases/${base.id}`, { json: { access } }));
		const path = "/v1/agents/payroll/versions";
		expect((await ada.send("GET", `${path}/1`)).status).toBe(200);
		expect((await bob.send("GET", `${path}/2`)).status).toBe(200);
		expectApiError(await bob.send("GET", `${path}/1`), 404, "agent_version_not_found");
		expectApiError(await bob.send("POST", `${path}/1/restore`, { json: {} }), 404, "agent_version_not_found");
	});
});
