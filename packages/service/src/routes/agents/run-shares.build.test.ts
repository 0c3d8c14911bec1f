import type { AuditRecord, CreatedRunShare, Page, RunShare, SharedRun } from "@stemma/client";
import * as built from "@stemma/service";
import { createMcpHandler, text, useRpcServer } from "@stemma/simulators/rpc";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
	type GraphFixture,
	type GraphWorkspace,
	startGraphFixture,
} from "../../agent-ports/test-support/graph-fixture";
import { createPeople, type TestPeople, type TestUser } from "../../people/test-support/people-fixture";
import { MAX_SHARE_OPENINGS_PER_MINUTE, MAX_SHARES_PER_RUN } from "../../run-shares/share-limits";
import { expectApiError } from "../../test-support/expect-error";
import { callRefund, REFUND_TOOLS } from "../../test-support/refund-graph";
import type { TestResponse } from "../../test-support/send-request";
import { getBody, waitUntilIndexed } from "../../test-support/tenant";

const QUESTION = "How long does a refund of order seven take?";
const QUOTE = "A refund takes five working days.";
const TOOL_RESULT = "It is refunded, says the till.";
const ALL = ["input", "output", "links", "steps", "tools", "receipt"] as const;

let fixture: GraphFixture;
let other: GraphWorkspace;
let people: TestPeople;
let viewer: TestUser;
let editor: TestUser;
let admin: TestUser;
/** Run that the viewer has started. */
let run: string;
const server = useRpcServer();

beforeAll(async () => {
	fixture = await startGraphFixture(built);
	other = await fixture.addWorkspace("other");
	people = createPeople(fixture.deployment, fixture);
	viewer = await people.addUser("viewer@example.com");
	editor = await people.addUser("editor@example.com", "editor");
	admin = await people.addUser("admin@example.com", "admin");
	server.handle(
		createMcpHandler({ era: "modern", tools: REFUND_TOOLS, ttlMs: 0, call: () => text(TOOL_RESULT) }),
	);
	await addHandbook();
	await fixture.save("desk", {
		nodes: [
			{ id: "desk", kind: "coordinator", instructions: "Secret instructions." },
			{ id: "pages", kind: "knowledge", knowledgeBases: ["handbook"] },
			{ id: "refund", kind: "tool", tool: "refund", server: server.url },
		],
		edges: [
			{ from: "desk", to: "pages", mode: "before" },
			{ from: "desk", to: "refund" },
		],
	});
	run = await startRun(viewer);
});
afterAll(() => fixture?.close());
afterEach(() => vi.useRealTimers());

async function addHandbook(): Promise<void> {
	const { id } = await getBody<{ id: string }>(
		fixture.send("POST", "/v1/knowledge-bases", { json: { name: "Handbook" } }),
	);
	const path = `/v1/knowledge-bases/${id}/documents`;
	const page = { text: `# Refunds\n\n${QUOTE}`, title: "Refunds", source: "https://docs.example/refunds" };
	await getBody(fixture.send("POST", path, { json: page }));
	await waitUntilIndexed(fixture.send, id);
}

/** Runs the desk, which calls its tool and answers with a citation. */
async function startRun({ send }: Pick<TestUser, "send">): Promise<string> {
	fixture.vendor.enqueue(callRefund(7), { kind: "reply", text: `${QUOTE} [1]` });
	const { run_id, status } = await getBody<{ run_id: string; status: string }>(
		send("POST", "/v1/agents/desk/run", { json: { input: QUESTION } }),
	);
	expect(status).toBe("completed");
	return run_id;
}

const share = (
	{ send }: Pick<TestUser, "send">,
	fields: readonly string[] = ["output"],
	more: object = {},
	id = run,
): Promise<TestResponse> => send("POST", `/v1/runs/${id}/shares`, { json: { fields, ...more } });

const create = (...parameters: Parameters<typeof share>): Promise<CreatedRunShare> =>
	getBody<CreatedRunShare>(share(...parameters));

const open = (token: string): Promise<TestResponse> =>
	people.send("POST", "/v1/shared-runs", { json: { token } });

const list = async ({ send }: Pick<TestUser, "send">, query = ""): Promise<readonly RunShare[]> =>
	(await getBody<Page<RunShare>>(send("GET", `/v1/shares${query}`))).data;

const revoke = ({ send }: Pick<TestUser, "send">, id: string): Promise<TestResponse> =>
	send("DELETE", `/v1/shares/${id}`);

const expectGone = async (token: string): Promise<void> =>
	expectApiError(await open(token), 404, "share_not_found");

describe("a link to a run", () => {
	it("shows what was chosen to whoever has it, without a credential", async () => {
		const { link, token, ...made } = await create(editor, ALL);
		expect(made).toMatchObject({ run_id: run, fields: ALL, created_by: editor.session.user.id, views: 0 });
		expect(token).toMatch(/^sh_[\w-]{43}$/);
		expect(link).toBe(`http://localhost:4000/#shared=${token}`);
		const response = await open(token);
		expect(response.headers.get("cache-control")).toBe("no-store");
		const shared = response.body as SharedRun;
		expect(shared).toMatchObject({
			...{ status: "completed", input: QUESTION, fields: ALL, expires_at: made.expires_at },
			citations: [{ n: 1, title: "Refunds", url: "https://docs.example/refunds", support: "quoted" }],
			steps: [
				{ node: "desk", kind: "coordinator", status: "completed" },
				{ node: "pages", kind: "knowledge", parent: 1, status: "completed" },
				{ node: "refund", kind: "tool", parent: 1, status: "completed", input: { order: 7 } },
			],
			receipt: [{ stage: "answer", payer: "deployment" }, { stage: "answer" }],
		});
		expect(shared.output).toContain(QUOTE);
		expect(JSON.stringify(shared.steps?.[2]?.output)).toContain(TOOL_RESULT);
		// Passages are no part of steps, and nothing names documents, people or the workspace.
		expect(JSON.stringify(shared.steps)).not.toContain(QUOTE);
		expect(response.text).not.toMatch(/\b(?:doc|psg|kb|ws|usr|ag|run)_\w|Secret instructions|handbook/);
	});

	it.each([
		["input", [QUESTION], ["output", "citations", "steps", "receipt"]],
		["output", [QUOTE], ["input", "steps", "receipt"]],
		["steps", ["refund"], ["input", "output", "citations", "receipt"]],
		["receipt", ["deployment"], ["input", "output", "citations", "steps"]],
	] as const)("has nothing on the wire but %s", async (field, has, lacks) => {
		const response = await open((await create(editor, [field])).token);
		for (const words of has) expect(response.text).toContain(words);
		for (const name of lacks) expect(response.body).not.toHaveProperty(name);
		const others = [QUESTION, QUOTE, TOOL_RESULT, "docs.example", '"order"', "Done."].filter(
			(words) => !has.some((one) => one === words),
		);
		for (const words of others) expect(response.text).not.toContain(words);
	});

	it.each([
		[["output", "links"], "docs.example"],
		[["steps", "tools"], TOOL_RESULT],
	] as const)("adds to a part what %j says", async (fields, words) => {
		expect((await open((await create(editor, fields)).token)).text).toContain(words);
	});

	it("tells that a run failed without what its steps said", async () => {
		fixture.vendor.enqueue({ kind: "failure", status: 401, message: "No such key sk-1234." });
		const { send } = editor;
		await send("POST", "/v1/agents/desk/run", { json: { input: QUESTION } });
		const { data } = await getBody<Page<{ id: string }>>(send("GET", "/v1/runs?status=failed"));
		const { token } = await create(editor, ["output", "steps"], {}, data[0]?.id);
		const { text: json, body } = await open(token);
		expect(body).toMatchObject({ status: "failed", output: null, error: { message: "The run failed." } });
		expect(json).not.toContain("No such key");
	});

	it.each([
		[{}, 168],
		[{ expires_in_hours: 1 }, 1],
		[{ expires_in_hours: 720 }, 720],
	])("with %j is valid for %i hours", async (more, hours) => {
		const { created_at, expires_at } = await create(viewer, ["output"], more);
		expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(hours * 3_600_000);
	});

	it.each([
		{ fields: [] },
		{ fields: ["answer"] },
		{ fields: ["links"] },
		{ fields: ["output", "tools"] },
		{ fields: ["output"], expires_in_hours: 0 },
		{ fields: ["output"], expires_in_hours: 721 },
		{ fields: ["output"], expires_in_hours: 1.5 },
	])("is not made by %j", async (json) => {
		expectApiError(await editor.send("POST", `/v1/runs/${run}/shares`, { json }), 400, "invalid_request");
	});

	it("counts how often it was opened", async () => {
		const { id, token } = await create(viewer);
		for (let index = 0; index < 3; index += 1) await open(token);
		expect((await list(viewer)).find((one) => one.id === id)).toMatchObject({ views: 3 });
	});

	it("is in the audit when it is made and revoked, without its token", async () => {
		const { id, token } = await create(viewer, ["output"], { expires_in_hours: 2 });
		await open(token);
		await revoke(admin, id);
		const response = await admin.send("GET", "/v1/audit?limit=100");
		const { data } = response.body as Page<AuditRecord>;
		expect(data.filter(({ target }) => target === id).reverse()).toMatchObject([
			{
				...{ action: "run_share.created", actor: viewer.session.user.id },
				details: { run_id: run, fields: ["output"], expires_in_hours: 2 },
			},
			{ action: "run_share.revoked", actor: admin.session.user.id, details: { run_id: run } },
		]);
		expect(response.text).not.toContain(token);
	});
});

describe("who shares", () => {
	it("is whoever sees the run: viewers share their own alone, and no more than they see", async () => {
		const theirs = await startRun(editor);
		expectApiError(await share(viewer, ["output"], {}, theirs), 404, "run_not_found");
		expect(await create(viewer, ["input", "output", "receipt"])).toMatchObject({ run_id: run });
		expectApiError(await share(viewer, ["output", "steps"]), 403, "missing_scope");
		expect(await create(editor, ["steps"])).toMatchObject({ run_id: run });
		expectApiError(await share(other), 404, "run_not_found");
	});

	it("is no client key, and nobody without a credential", async () => {
		const key = await fixture.makeKey();
		const json = { fields: ["output"] };
		const path = `/v1/runs/${run}/shares`;
		expectApiError(await fixture.send("POST", path, { json, token: key }), 403, "not_allowed_for_client_key");
		expectApiError(await people.send("POST", path, { json }), 401, "missing_credentials");
		expectApiError(await people.send("GET", "/v1/shares"), 401, "missing_credentials");
	});

	it("is not who may not use the agent, also where it was limited after", async () => {
		const { token } = await create(viewer);
		const { graph } = await getBody<{ graph: object }>(fixture.send("GET", "/v1/agents/desk"));
		const limit = (access: object | "all") =>
			getBody(fixture.send("PUT", "/v1/agents/desk", { json: { graph, access } }));
		await limit({ users: [editor.session.user.id] });
		expectApiError(await share(viewer), 404, "run_not_found");
		await expectGone(token);
		expect(await create(editor)).toMatchObject({ run_id: run });
		await limit("all");
		expect((await open(token)).status).toBe(200);
	});

	it("shares runs that have ended alone", async () => {
		const held = Promise.withResolvers<void>();
		fixture.vendor.enqueue({ kind: "reply", text: "Slow.", held: held.promise });
		const id = await fixture.start("desk", "Hello?");
		expectApiError(await share(editor, ["output"], {}, id), 409, "run_not_ended");
		held.resolve();
		await fixture.waitUntilEnded(id);
		expect(await create(editor, ["output"], {}, id)).toMatchObject({ run_id: id });
	});

	it("shows no more than they may see by now", async () => {
		const demoted = await people.addUser("demoted@example.com", "editor");
		const id = await startRun(demoted);
		const { token } = await create(demoted, ["output", "steps"], {}, id);
		await getBody(
			admin.send("PATCH", `/v1/members/${demoted.session.user.id}`, { json: { role: "viewer" } }),
		);
		const { body } = await open(token);
		expect(body).toMatchObject({ fields: ["output"] });
		expect(body).not.toHaveProperty("steps");
	});

	it("makes one link by one request that is sent twice, and a limited number to a run", async () => {
		const id = await startRun(viewer);
		const headers = { "idempotency-key": "share-once" };
		const request = { json: { fields: ["output"] }, headers };
		await getBody(viewer.send("POST", `/v1/runs/${id}/shares`, request));
		expectApiError(await viewer.send("POST", `/v1/runs/${id}/shares`, request), 409, "already_created");
		for (let index = 1; index < MAX_SHARES_PER_RUN; index += 1) await create(viewer, ["output"], {}, id);
		expectApiError(await share(viewer, ["output"], {}, id), 422, "too_many_shares");
	});
});

describe("links", () => {
	it("are listed and revoked by who made them, and by admins", async () => {
		const id = await startRun(editor);
		const { id: shareId, token } = await create(editor, ["output"], {}, id);
		const idsOf = async (user: Pick<TestUser, "send">) =>
			(await list(user, `?run_id=${id}`)).map((one) => one.id);
		expect(await idsOf(editor)).toEqual([shareId]);
		expect(await idsOf(admin)).toEqual([shareId]);
		expect(await idsOf(viewer)).toEqual([]);
		expect(await idsOf(other)).toEqual([]);
		for (const user of [viewer, other]) expectApiError(await revoke(user, shareId), 404, "share_not_found");
		expect((await open(token)).status).toBe(200);
		expect(await getBody(revoke(editor, shareId))).toMatchObject({ id: shareId, deleted: true });
		await expectGone(token);
		expectApiError(await revoke(editor, shareId), 404, "share_not_found");
		const { id: second } = await create(editor, ["output"], {}, id);
		await getBody(revoke(admin, second));
		expect(await idsOf(admin)).toEqual([]);
	});

	it("come in pages, newest first, and have no token", async () => {
		const id = await startRun(editor);
		const made: string[] = [];
		for (let index = 0; index < 3; index += 1) made.unshift((await create(editor, ["output"], {}, id)).id);
		const first = await getBody<Page<RunShare>>(editor.send("GET", `/v1/shares?run_id=${id}&limit=2`));
		expect(first).toMatchObject({ data: [{ id: made[0] }, { id: made[1] }], has_more: true });
		const rest = await list(editor, `?run_id=${id}&limit=2&after=${first.next}`);
		expect(rest.map((one) => one.id)).toEqual(made.slice(2));
		expect(JSON.stringify([first, rest])).not.toMatch(/"token"|"link"|sh_[\w-]{43}/);
	});

	it("end with their time", async () => {
		const { id, token } = await create(viewer, ["output"], { expires_in_hours: 1 });
		vi.useFakeTimers({ toFake: ["Date"] });
		vi.setSystemTime(Date.now() + 3_600_000 - 1_000);
		expect((await open(token)).status).toBe(200);
		vi.setSystemTime(Date.now() + 2_000);
		await expectGone(token);
		expect((await list(viewer)).map((one) => one.id)).not.toContain(id);
	});

	it("end with the membership of who made them, for good", async () => {
		const leaver = await people.addUser("leaver@example.com", "editor");
		const { id, token } = await create(leaver);
		await getBody(admin.send("DELETE", `/v1/members/${leaver.session.user.id}`));
		await expectGone(token);
		await people.addUser("leaver@example.com", "editor");
		await expectGone(token);
		expect((await list(admin)).map((one) => one.id)).not.toContain(id);
	});

	it("end with the client that made them", async () => {
		const client = await getBody<{ id: string; client_secret: string }>(
			fixture.send("POST", "/v1/clients", { json: { name: "program", scopes: ["agents:run"] } }),
		);
		const form = new URLSearchParams({
			...{ grant_type: "client_credentials", client_id: client.id },
			client_secret: client.client_secret,
		});
		const { access_token } = await getBody<{ access_token: string }>(
			people.send("POST", "/oauth/token", { form }),
		);
		const json = { fields: ["output"] };
		const { token } = await getBody<CreatedRunShare>(
			fixture.send("POST", `/v1/runs/${run}/shares`, { json, token: access_token }),
		);
		expect((await open(token)).status).toBe(200);
		await getBody(fixture.send("DELETE", `/v1/clients/${client.id}`));
		await expectGone(token);
	});

	it("end with the run, and are listed no more", async () => {
		const { send } = viewer;
		const thread = await getBody<{ id: string }>(send("POST", "/v1/threads", { json: {} }));
		fixture.vendor.enqueue({ kind: "reply", text: "Soon." });
		const { run_id } = await getBody<{ run_id: string }>(
			send("POST", "/v1/agents/desk/run", { json: { input: "When?", thread_id: thread.id } }),
		);
		const { id, token } = await create(viewer, ["output"], {}, run_id);
		await getBody(send("DELETE", `/v1/threads/${thread.id}`));
		await expectGone(token);
		for (const user of [viewer, admin]) expect((await list(user)).map((one) => one.id)).not.toContain(id);
	});
});

describe("opening a link", () => {
	it("takes a token in the body alone, and no other one", async () => {
		const { token } = await create(viewer);
		for (const wrong of [`${token}A`, token.slice(0, -1), `sh_${"A".repeat(43)}`, "sh_", "x"])
			await expectGone(wrong);
		expectApiError(await people.send("GET", `/v1/shared-runs?token=${token}`), 405, "method_not_allowed");
		expectApiError(await people.send("POST", "/v1/shared-runs", { json: {} }), 400, "invalid_request");
		expectApiError(
			await people.send("POST", "/v1/shared-runs", { json: { token: "x".repeat(2_000) } }),
			413,
			"body_too_large",
		);
	});

	it("is slowed where an address tries too often", async () => {
		const address = "203.0.113.7";
		const request = () =>
			fixture.deployment.service.fetch(
				new Request("http://localhost:4000/v1/shared-runs", {
					method: "POST",
					headers: { "content-type": "application/json" },
					body: JSON.stringify({ token: `sh_${"A".repeat(43)}` }),
				}),
				{ address },
			);
		const statuses: number[] = [];
		for (let index = 0; index <= MAX_SHARE_OPENINGS_PER_MINUTE; index += 1)
			statuses.push((await request()).status);
		expect(statuses[0]).toBe(404);
		expect(statuses.at(-1)).toBe(429);
	});
});
