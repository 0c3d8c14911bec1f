import type { KnowledgeBase, Page, RunResult, StoredAgent, Thread } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPeople, type TestPeople, type TestUser } from "../../people/test-support/people-fixture";
import { expectApiError } from "../../test-support/expect-error";
import type { SendRequest } from "../../test-support/send-request";
import { recordRoutes } from "../../test-support/service-routes";
import { getBody, toKnowledgeGraph, waitUntilIndexed } from "../../test-support/tenant";
import { startThreadFixture, type ThreadFixture } from "../../threads/test-support/thread-fixture";

let fixture: ThreadFixture;
let routes: readonly string[];
let people: TestPeople;
/** Editor with access. */
let ada: TestUser;
/** Editor without access. */
let bob: TestUser;
let admin: TestUser;
/** Knowledge base that Ada alone may use. */
let base: KnowledgeBase;
let document: string;
/** Agent that Ada alone may use. */
let limited: StoredAgent;
/** Agent over the knowledge base, and one that calls it: both are open to all members. */
let reader: StoredAgent;
let caller: StoredAgent;
beforeAll(async () => {
	routes = await recordRoutes(async () => {
		fixture = await startThreadFixture(built);
	});
	people = createPeople(fixture.deployment, fixture.mine);
	ada = await people.addUser("ada@example.com", "editor");
	bob = await people.addUser("bob@example.com", "editor");
	admin = await people.addUser("admin@example.com", "admin");
	const create = <Body>(path: string, json: object) => getBody<Body>(ada.send("POST", path, { json }));
	base = await create("/v1/knowledge-bases", { name: "Salaries" });
	const text = "The secret salary is one hundred and seven.";
	const { data } = await create<{ data: readonly { id: string }[] }>(
		`/v1/knowledge-bases/${base.id}/documents`,
		{ text, title: "Salaries" },
	);
	document = data[0]?.id ?? "";
	await waitUntilIndexed(fixture.mine.send, base.id);
	const plain = { nodes: [{ id: "desk", kind: "coordinator", instructions: "Help." }], edges: [] };
	limited = await create("/v1/agents", { graph: plain, slug: "limited-desk" });
	reader = await create("/v1/agents", { graph: toKnowledgeGraph("desk", base.slug), slug: "reader" });
	const nodes = [
		{ id: "desk", kind: "coordinator" },
		{ id: "far", kind: "remote", agentId: reader.slug },
	];
	const edges = [{ from: "desk", to: "far" }];
	caller = await create("/v1/agents", { graph: { nodes, edges }, slug: "caller" });
	const access = { users: [ada.session.user.id] };
	await getBody(ada.send("PATCH", `/v1/knowledge-bases/${base.id}`, { json: { access } }));
	const replacement = { graph: plain, access };
	limited = await getBody(ada.send("PUT", `/v1/agents/${limited.id}`, { json: replacement }));
});
afterAll(() => fixture?.close());

const idsOf = async ({ send }: { readonly send: SendRequest }, path: string) =>
	(await getBody<Page<{ readonly id: string }>>(send("GET", `${path}?limit=100`))).data.map(({ id }) => id);
const hasNone = (ids: readonly string[]) =>
	expect(ids).not.toEqual(expect.arrayContaining([expect.anything()]));

describe("what is limited to some members", () => {
	it("says so, and is recorded", async () => {
		expect(limited.access).toEqual({ users: [ada.session.user.id] });
		expect(await getBody(ada.send("GET", `/v1/knowledge-bases/${base.id}`))).toMatchObject({
			access: { users: [ada.session.user.id] },
		});
		const { data } = await getBody<Page<object>>(
			admin.send("GET", "/v1/audit?action=knowledge_base.access_changed"),
		);
		expect(data[0]).toMatchObject({
			...{ actor: ada.session.user.id, target: base.id },
			details: { access: { users: [ada.session.user.id] } },
		});
	});

	it("is in the lists of those who may use it, of admins and of clients alone", async () => {
		for (const one of [ada, admin, fixture.mine]) {
			expect(await idsOf(one, "/v1/knowledge-bases")).toContain(base.id);
			expect(await idsOf(one, "/v1/agents")).toEqual(
				expect.arrayContaining([limited.id, reader.id, caller.id]),
			);
		}
		expect(await idsOf(bob, "/v1/knowledge-bases")).toEqual([fixture.mine.knowledgeBase]);
		const agents = await idsOf(bob, "/v1/agents");
		hasNone(agents.filter((id) => [limited.id, reader.id, caller.id].includes(id)));
		const models = JSON.stringify(await getBody(bob.send("GET", "/v1/models")));
		for (const slug of [base.slug, limited.slug, reader.slug, caller.slug])
			expect(models).not.toContain(slug);
	});

	it("is not there for others at any route that names it", async () => {
		const tried = routes.filter((route) => /\/v1\/(knowledge-bases|agents)\/:id/.test(route));
		expect(tried.length).toBeGreaterThan(20);
		for (const route of tried)
			for (const name of route.includes("agents")
				? [limited.id, limited.slug, reader.id]
				: [base.id, base.slug]) {
				const [method = "", pattern = ""] = route.split(" ");
				const path = pattern.replace(":id", name).replaceAll(":id", document);
				const json = method === "GET" || method === "DELETE" ? {} : { json: {} };
				const response = await bob.send(method, path, json);
				if (response.status === 403) expectApiError(response, 403, "missing_scope");
				else
					expectApiError(
						response,
						404,
						route.includes("agents") ? "agent_not_found" : "knowledge_base_not_found",
					);
			}
	});

	it("is not there in any body that names it", async () => {
		const named = { knowledge_base_ids: [base.slug] };
		const messages = [{ role: "user", content: "?" }];
		const requests: readonly (readonly [path: string, json: object, code: string])[] = [
			["/v1/ask", { question: "The salary?", ...named }, "knowledge_base_not_found"],
			["/v1/search", { query: "salary", ...named }, "knowledge_base_not_found"],
			["/v1/search", { query: "salary", stemma: named }, "knowledge_base_not_found"],
			["/v1/models/resolve", { nodes: [{ node: "a" }], ...named }, "knowledge_base_not_found"],
			["/v1/chat/completions", { model: `kb:${base.slug}`, messages }, "knowledge_base_not_found"],
			["/v1/chat/completions", { model: `agent:${limited.slug}`, messages }, "agent_not_found"],
			["/v1/threads", { agent_id: limited.id }, "agent_not_found"],
		];
		for (const [path, json, code] of requests)
			expectApiError(await bob.send("POST", path, { json }), 404, code);
		const graph = toKnowledgeGraph("desk", base.id);
		const stored = await bob.send("POST", "/v1/agents", { json: { graph } });
		expectApiError(stored, 422, "agent_invalid");
	});

	it("is found by no question to all knowledge bases, and by no id of a document", async () => {
		const found = await bob.send("POST", "/v1/search", { json: { query: "secret salary" } });
		expect(found.text).not.toContain("hundred");
		const asked = await ada.send("POST", "/v1/search", { json: { query: "secret salary" } });
		expect(asked.text).toContain("hundred");
		expectApiError(await bob.send("GET", `/v1/documents/${document}`), 404, "document_not_found");
		expect((await ada.send("GET", `/v1/documents/${document}`)).status).toBe(200);
	});

	it("is not named by hints and errors", async () => {
		const near = await bob.send("GET", "/v1/knowledge-bases/salarie");
		expect(near.text).not.toContain("salaries");
		const refusal = await bob.send("DELETE", `/v1/knowledge-bases/${fixture.mine.knowledgeBase}`);
		expect(refusal.text).not.toContain(caller.slug);
	});
});

describe("runs of a limited agent", () => {
	it("are seen by those alone who may use it, and its threads too", async () => {
		fixture.reply("Yes.");
		const thread = await getBody<Thread>(ada.send("POST", "/v1/threads", { json: { agent_id: limited.id } }));
		const json = { input: "Open?", thread_id: thread.id };
		const run = await getBody<RunResult>(ada.send("POST", `/v1/agents/${limited.id}/run`, { json }));
		const path = `/v1/runs/${run.run_id}`;
		expect((await ada.send("GET", path)).status).toBe(200);
		await getBody(ada.send("POST", `${path}/feedback`, { json: { rating: "up" } }));
		for (const [method, rest] of [
			["GET", ""],
			["GET", "/events"],
			["POST", "/cancel"],
		] as const)
			expectApiError(await bob.send(method, `${path}${rest}`), 404, "run_not_found");
		expect(await idsOf(admin, "/v1/runs")).toContain(run.run_id);
		expect(await idsOf(bob, "/v1/runs")).not.toContain(run.run_id);
		expect((await ada.send("GET", "/v1/feedback")).text).toContain(run.run_id);
		for (const list of ["/v1/feedback", "/v1/feedback/export"])
			expect((await bob.send("GET", list)).text).not.toContain(run.run_id);
		const take = { users: [bob.session.user.id] };
		await getBody(
			admin.send("PUT", `/v1/agents/${limited.id}`, { json: { graph: limited.graph, access: take } }),
		);
		expectApiError(await ada.send("GET", path), 404, "run_not_found");
		expectApiError(await ada.send("GET", `/v1/threads/${thread.id}`), 404, "thread_not_found");
		expect(await idsOf(ada, "/v1/threads")).not.toContain(thread.id);
		const open = { graph: limited.graph, access: "all" };
		await getBody(admin.send("PUT", `/v1/agents/${limited.id}`, { json: open }));
		expect((await ada.send("GET", path)).status).toBe(200);
	});

	it("stay limited after it is deleted, or has lost what limited it", async () => {
		const access = { users: [ada.session.user.id, admin.session.user.id] };
		const graphs = { "gone-desk": limited.graph, "changed-desk": reader.graph };
		for (const [slug, graph] of Object.entries(graphs)) {
			const agent = await getBody<StoredAgent>(ada.send("POST", "/v1/agents", { json: { graph, slug } }));
			if (slug === "gone-desk")
				await getBody(ada.send("PUT", `/v1/agents/${agent.id}`, { json: { graph, access } }));
			const runs: RunResult[] = [];
			for (const { send } of [ada, admin]) {
				fixture.reply("Yes.");
				runs.push(await getBody(send("POST", `/v1/agents/${agent.id}/run`, { json: { input: "Open?" } })));
			}
			const [own, other] = runs.map(({ run_id }) => run_id);
			if (own === undefined || other === undefined) return expect.unreachable();
			for (const id of [own, other])
				await getBody(admin.send("POST", `/v1/runs/${id}/feedback`, { json: { rating: "up" } }));
			if (slug === "gone-desk") await getBody(ada.send("DELETE", `/v1/agents/${agent.id}`));
			else await getBody(ada.send("PUT", `/v1/agents/${agent.id}`, { json: { graph: limited.graph } }));
			for (const id of [own, other]) {
				expectApiError(await bob.send("GET", `/v1/runs/${id}`), 404, "run_not_found");
				expectApiError(await bob.send("GET", `/v1/runs/${id}/events`), 404, "run_not_found");
				expect((await admin.send("GET", `/v1/runs/${id}`)).status).toBe(200);
				expect((await bob.send("GET", "/v1/feedback")).text).not.toContain(id);
				expect((await admin.send("GET", "/v1/feedback")).text).toContain(id);
			}
			expect(await idsOf(bob, "/v1/runs")).not.toContain(own);
			expect(await idsOf(ada, "/v1/runs")).toContain(own);
			expect((await ada.send("GET", `/v1/runs/${own}`)).status).toBe(200);
			// Ada may use the knowledge base still; of an agent that is gone nobody knows who might have used it.
			expect((await ada.send("GET", `/v1/runs/${other}`)).status).toBe(slug === "gone-desk" ? 404 : 200);
		}
	});

	it("do not reach what their person may not use by way of other agents", async () => {
		await getBody(ada.send("PATCH", `/v1/knowledge-bases/${base.id}`, { json: { access: "all" } }));
		const access = { users: [ada.session.user.id] };
		await getBody(ada.send("PUT", `/v1/agents/${reader.id}`, { json: { graph: reader.graph, access } }));
		expectApiError(
			await bob.send("POST", `/v1/agents/${caller.id}/run`, { json: { input: "?" } }),
			404,
			"agent_not_found",
		);
		await getBody(ada.send("PATCH", `/v1/knowledge-bases/${base.id}`, { json: { access } }));
	});
});

describe("access", () => {
	it("is given to members of the workspace alone", async () => {
		const other = await people.addUser("zoe@example.com", "viewer", fixture.theirs);
		for (const id of [other.session.user.id, `usr_${"0".repeat(26)}`]) {
			const access = { users: [ada.session.user.id, id] };
			const response = await ada.send("PATCH", `/v1/knowledge-bases/${base.id}`, { json: { access } });
			expectApiError(response, 400, "invalid_request");
			expect(response.text).toContain("access.users[1]");
		}
	});

	it("can be changed where a member whom it names was removed", async () => {
		const path = `/v1/knowledge-bases/${base.id}`;
		const gone = await people.addUser("gone@example.com");
		const users = [ada.session.user.id, gone.session.user.id];
		await getBody(admin.send("PATCH", path, { json: { access: { users } } }));
		await getBody(admin.send("DELETE", `/v1/members/${gone.session.user.id}`));
		const more = { users: [...users, bob.session.user.id] };
		await getBody(admin.send("PATCH", path, { json: { access: more } }));
		await getBody(admin.send("PATCH", path, { json: { access: { users: [ada.session.user.id] } } }));
	});

	it("is not given away by editors who would lose it, and admins need not name themselves", async () => {
		const access = { users: [bob.session.user.id] };
		const path = `/v1/knowledge-bases/${base.id}`;
		expectApiError(await ada.send("PATCH", path, { json: { access } }), 400, "invalid_request");
		await getBody(admin.send("PATCH", path, { json: { access } }));
		expect((await bob.send("GET", path)).status).toBe(200);
		expectApiError(await ada.send("GET", path), 404, "knowledge_base_not_found");
	});
});
