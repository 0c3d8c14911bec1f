import type { AuditRecord, RunRecord, WireRunEvent } from "@stemma/client";
import { runs as runsOf, Stemma } from "@stemma/client";
import type { Approval, RunResult } from "@stemma/core";
import * as built from "@stemma/service";
import { createMcpHandler, text, useRpcServer } from "@stemma/simulators/rpc";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
	type GraphFixture,
	type GraphWorkspace,
	startGraphFixture,
} from "../../agent-ports/test-support/graph-fixture";
import { expectApiError, readApiError } from "../../test-support/expect-error";
import { callRefund, REFUND_TOOLS, toRefundGraph } from "../../test-support/refund-graph";
import type { TestRequest, TestResponse } from "../../test-support/send-request";
import { getBody } from "../../test-support/tenant";

let fixture: GraphFixture;
let other: GraphWorkspace;
const server = useRpcServer();
beforeAll(async () => {
	fixture = await startGraphFixture(built, { limits: { concurrent_runs: 8 } });
	other = await fixture.addWorkspace("other");
	server.handle(
		createMcpHandler({ era: "modern", tools: REFUND_TOOLS, ttlMs: 0, call: () => text("It is refunded.") }),
	);
	await fixture.save("desk", toRefundGraph(server.url));
});
afterAll(() => fixture?.close());
afterEach(() => {
	server.received.length = 0;
});

/** What the tool was called with. */
const listCalls = (): unknown[] =>
	server.received.filter(({ rpc }) => rpc.method === "tools/call").map(({ rpc }) => rpc.params?.arguments);

/** What the model was told last. */
const readLastPrompt = (): string => JSON.stringify(fixture.vendor.requests.at(-1)?.body);

interface Paused {
	readonly id: string;
	readonly approvals: readonly Approval[];
}

async function pause(orders: readonly number[] = [7], slug = "desk"): Promise<Paused> {
	fixture.vendor.enqueue(callRefund(...orders));
	const { run_id, status, approvals = [] } = await fixture.run(slug, "Refund it.");
	expect(status).toBe("paused");
	return { id: run_id, approvals };
}

const toPath = (run: Paused, index = 0): string => `/v1/runs/${run.id}/approvals/${run.approvals[index]?.id}`;

const decide = (
	run: Paused,
	decision: "approve" | "deny",
	{ index = 0, reason, ...request }: TestRequest & { readonly index?: number; readonly reason?: string } = {},
): Promise<TestResponse> =>
	fixture.send("POST", toPath(run, index), {
		json: { decision, ...(reason !== undefined && { reason }) },
		...request,
	});

const typesOf = (events: readonly WireRunEvent[]): string[] =>
	events.map(({ type }) => type).filter((type) => type.startsWith("run."));

async function makeToken(scopes: readonly string[]): Promise<string> {
	const json = { name: scopes.join(" "), scopes };
	const { id, client_secret } = await getBody<{ id: string; client_secret: string }>(
		fixture.send("POST", "/v1/clients", { json }),
	);
	const form = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret });
	const answer = await fixture.send("POST", "/oauth/token", { form, token: null });
	return (answer.body as { readonly access_token: string }).access_token;
}

describe("a run that waits for an approval", () => {
	it("is listed and told with the exact call, and nothing is called before", async () => {
		const run = await pause();
		expect(run.approvals).toEqual([
			{
				id: expect.stringMatching(/^apr_\d+$/),
				node: "refund",
				tool: "refund",
				arguments: { order: 7 },
				expires_at: expect.stringMatching(/Z$/),
			},
		]);
		const days = (Date.parse(run.approvals[0]?.expires_at ?? "") - Date.now()) / 86_400_000;
		expect(days).toBeGreaterThan(6.9);
		expect(days).toBeLessThanOrEqual(7);
		const record = await fixture.waitUntilEnded(run.id);
		expect(record).toMatchObject({ status: "paused", ended_at: null });
		expect(record.result).toMatchObject({ status: "paused", approvals: run.approvals });
		const listed = await getBody<{ data: RunRecord[] }>(fixture.send("GET", "/v1/runs?status=paused"));
		expect(listed.data.map(({ id }) => id)).toContain(run.id);
		expect(listCalls()).toEqual([]);
	});

	it("goes on with what was approved, exactly once, numbered on", async () => {
		const run = await pause();
		const answer = await getBody<RunRecord>(decide(run, "approve"));
		expect(answer.id).toBe(run.id);
		expect(["running", "completed"]).toContain(answer.status);
		const { result } = await fixture.waitUntilEnded(run.id);
		expect(result).toMatchObject({ status: "completed", output: "Done." });
		expect(result?.approvals).toBeUndefined();
		expect(result?.receipt).toHaveLength(2);
		expect(listCalls()).toEqual([{ order: 7 }]);
		expect(readLastPrompt()).toContain("It is refunded.");
		const events = await fixture.events(run.id);
		expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
		expect(typesOf(events)).toEqual(["run.started", "run.paused", "run.resumed", "run.completed"]);
		// The same decision again is answered alike, and changes nothing; another one is refused.
		expect((await decide(run, "approve", { reason: "Again." })).status).toBe(200);
		const refused = await decide(run, "deny");
		expectApiError(refused, 409, "approval_decided");
		expect(readApiError(refused).details).toMatchObject({ decision: "approve" });
		expect(listCalls()).toEqual([{ order: 7 }]);
	});

	it("goes on with a denial, whose reason the model is told, and calls nothing", async () => {
		const run = await pause();
		await getBody(decide(run, "deny", { reason: "The order is too old." }));
		expect(await fixture.waitUntilEnded(run.id)).toMatchObject({ status: "completed" });
		expect(readLastPrompt()).toContain("The order is too old.");
		expect(listCalls()).toEqual([]);
	});

	it.each(["PUT", "DELETE"])("keeps its agent, whatever becomes of that: %s", async (method) => {
		const slug = `short-lived-${method.toLowerCase()}`;
		await fixture.save(slug, toRefundGraph(server.url, { arguments: { order: 1 } }));
		const run = await pause([7], slug);
		expect(run.approvals[0]?.arguments).toEqual({ order: 1 });
		const json = { graph: toRefundGraph(`${server.url}/other`, { arguments: { order: 2 }, tool: "look" }) };
		await getBody(fixture.send(method, `/v1/agents/${slug}`, method === "PUT" ? { json } : {}));
		await getBody(decide(run, "approve"));
		expect(await fixture.waitUntilEnded(run.id)).toMatchObject({ status: "completed", agent_version: 1 });
		expect(server.received.filter(({ rpc }) => rpc.method === "tools/call")).toMatchObject([
			{ path: "/", rpc: { params: { name: "refund", arguments: { order: 1 } } } },
		]);
	});

	it("is called with the secret of now, and not of then", async () => {
		const put = (value: string) =>
			getBody(
				fixture.send("PUT", "/v1/workspace/secrets/billing", { json: { server_url: server.url, value } }),
			);
		await put("a-secret-of-then");
		await fixture.save("secret", toRefundGraph(server.url, { auth: { secret: "billing" } }));
		const run = await pause([7], "secret");
		await put("a-secret-of-now");
		server.received.length = 0;
		await getBody(decide(run, "approve"));
		await fixture.waitUntilEnded(run.id);
		expect(new Set(server.received.map(({ headers }) => headers.authorization))).toEqual(
			new Set(["Bearer a-secret-of-now"]),
		);
	});

	it("goes on with the first of several at once, and waits for the others", async () => {
		const run = await pause([7, 8]);
		expect(run.approvals.map((approval) => approval.arguments)).toEqual([{ order: 7 }, { order: 8 }]);
		await getBody(decide(run, "approve", { index: 1 }));
		const again = await fixture.waitUntilEnded(run.id);
		expect(again).toMatchObject({ status: "paused", result: { approvals: [run.approvals[0]] } });
		expect(listCalls()).toEqual([{ order: 8 }]);
		await getBody(decide(run, "deny", { index: 0 }));
		expect(await fixture.waitUntilEnded(run.id)).toMatchObject({ status: "completed" });
		expect(listCalls()).toEqual([{ order: 8 }]);
		expect(typesOf(await fixture.events(run.id))).toEqual([
			"run.started",
			...["run.paused", "run.resumed", "run.paused", "run.resumed"],
			"run.completed",
		]);
	});

	it("takes a decision on another while it goes on with the first", async () => {
		let release = (): void => undefined;
		const released = new Promise<void>((resolve) => {
			release = resolve;
		});
		const slow = createMcpHandler({
			era: "modern",
			tools: REFUND_TOOLS,
			ttlMs: 0,
			async call({ order }) {
				if (order === 7) await released;
				return text("It is refunded.");
			},
		});
		const run = await pause([7, 8]);
		server.handle(slow);
		await getBody(decide(run, "approve", { index: 0 }));
		await expect.poll(listCalls).toEqual([{ order: 7 }]);
		expect(await getBody<RunRecord>(decide(run, "approve", { index: 1 }))).toMatchObject({
			status: "running",
		});
		await expect.poll(listCalls).toEqual([{ order: 7 }, { order: 8 }]);
		release();
		expect(await fixture.waitUntilEnded(run.id)).toMatchObject({ status: "completed" });
		expect(typesOf(await fixture.events(run.id)).filter((type) => type === "run.paused")).toHaveLength(1);
	});

	it("belongs to exactly one of many who decide at once", async () => {
		for (let round = 0; round < 5; round++) {
			server.received.length = 0;
			const run = await pause();
			const decisions = (["approve", "deny"] as const).flatMap((one) => [one, one, one]);
			const answers = await Promise.all(decisions.map((one) => decide(run, one)));
			const winners = new Set(decisions.filter((_, index) => answers[index]?.status === 200));
			expect([...winners]).toHaveLength(1);
			for (const [index, answer] of answers.entries())
				if (!winners.has(decisions[index] ?? "deny")) expectApiError(answer, 409, "approval_decided");
			expect(await fixture.waitUntilEnded(run.id)).toMatchObject({ status: "completed" });
			expect(listCalls()).toEqual(winners.has("approve") ? [{ order: 7 }] : []);
			const { data } = await getBody<{ data: AuditRecord[] }>(fixture.send("GET", "/v1/audit?limit=100"));
			expect(data.filter(({ target }) => target === run.id)).toHaveLength(1);
		}
	});

	it("is cancelled at once, and then waits for nothing", async () => {
		const run = await pause();
		const record = await fixture.cancel(run.id);
		expect(record).toMatchObject({ status: "cancelled", result: { status: "cancelled" } });
		expect(record.result?.approvals).toBeUndefined();
		expect(record.ended_at).not.toBeNull();
		const events = await fixture.events(run.id);
		expect(typesOf(events)).toEqual(["run.started", "run.paused", "run.cancelled"]);
		expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
		expectApiError(await decide(run, "approve"), 409, "run_ended");
		expect(listCalls()).toEqual([]);
	});

	it("takes no room, and needs some to go on: nothing is decided where there is none", async () => {
		const waiting: Paused[] = [];
		for (let number = 0; number < 9; number++) waiting.push(await pause());
		const slow = Array.from({ length: 8 }, () => {
			fixture.vendor.enqueue({ kind: "silence" });
			return fixture.start("desk", "Hello?");
		});
		const busy = await Promise.all(slow);
		await expect
			.poll(async () => (await fixture.runs()).filter(({ status }) => status === "running"))
			.toHaveLength(8);
		const [run] = waiting;
		if (run === undefined) return expect.unreachable();
		expectApiError(await decide(run, "approve"), 429, "too_many_runs");
		for (const id of busy) await fixture.cancel(id);
		await getBody(decide(run, "deny"));
		expect(await fixture.waitUntilEnded(run.id)).toMatchObject({ status: "completed" });
		for (const { id } of waiting) await fixture.cancel(id);
	});

	it("within another run ends where it would pause, and the other is told why", async () => {
		await fixture.save("outer", {
			nodes: [
				{ id: "outer", kind: "coordinator" },
				{ id: "inner", kind: "remote", agentId: "desk" },
			],
			edges: [{ from: "outer", to: "inner", mode: "before" }],
		});
		fixture.vendor.enqueue(callRefund(7));
		const { error } = await fixture.run("outer", "Refund it.");
		expect(error).toMatchObject({ code: "remote_paused" });
		expect(error?.message).toContain("needs an approval");
		const [inner] = await fixture.runs("desk");
		const { id = "", status } = inner ?? {};
		expect(status).toBe("failed");
		expect(typesOf(await fixture.events(id))).toEqual(["run.started", "run.failed"]);
		const path = `/v1/runs/${id}/approvals/apr_2`;
		const late = await fixture.send("POST", path, { json: { decision: "approve" } });
		expectApiError(late, 404, "approval_not_found");
		expect(listCalls()).toEqual([]);
	});
});

describe("who decides", () => {
	it("is told in the audit, and what is called is not", async () => {
		const run = await pause([4711]);
		const headers = { "x-request-id": "request-of-a-decision" };
		await getBody(decide(run, "deny", { reason: "A word of mine.", headers }));
		const { data, text: all } = await fixture
			.send("GET", "/v1/audit?limit=1&action=approval.denied")
			.then(({ body, text: all }) => ({ data: (body as { data: AuditRecord[] }).data, text: all }));
		expect(data).toMatchObject([
			{
				action: "approval.denied",
				actor: fixture.credentials.client_id,
				target: run.id,
				details: { approval_id: run.approvals[0]?.id, node: "refund", tool: "refund" },
				request_id: "request-of-a-decision",
			},
		]);
		expect(all).not.toMatch(/4711|A word of mine/);
		await fixture.waitUntilEnded(run.id);
	});

	it("needs runs:approve, and sees with that alone what there is to decide", async () => {
		const run = await pause();
		const runner = await makeToken(["agents:run"]);
		const approver = await makeToken(["runs:approve"]);
		const refused = await decide(run, "approve", { token: runner });
		expectApiError(refused, 403, "missing_scope");
		expect(refused.text).toContain("runs:approve");
		const seen = await getBody<RunRecord>(fixture.send("GET", `/v1/runs/${run.id}`, { token: approver }));
		expect(seen.result?.approvals).toEqual(run.approvals);
		expectApiError(
			await fixture.send("POST", `/v1/runs/${run.id}/cancel`, { token: approver }),
			403,
			"missing_scope",
		);
		await getBody(decide(run, "deny", { token: approver }));
		expectApiError(
			await decide(run, "deny", { token: await fixture.makeKey() }),
			403,
			"not_allowed_for_client_key",
		);
		await fixture.waitUntilEnded(run.id);
	});

	it("is of the same workspace", async () => {
		const run = await pause();
		expectApiError(await decide(run, "approve", { token: other.token }), 404, "run_not_found");
		expect(await fixture.waitUntilEnded(run.id)).toMatchObject({ status: "paused" });
		await fixture.cancel(run.id);
	});

	it.each<[string, (run: Paused) => string, unknown, number, string]>([
		[
			"an approval that is not there",
			({ id }) => `/v1/runs/${id}/approvals/apr_99`,
			{},
			404,
			"approval_not_found",
		],
		["a run that is not there", () => "/v1/runs/run_1/approvals/apr_2", {}, 404, "run_not_found"],
		["another word", (run) => toPath(run), { decision: "maybe" }, 400, "invalid_request"],
		["no decision", (run) => toPath(run), { decision: undefined }, 400, "invalid_request"],
		["another field", (run) => toPath(run), { arguments: { order: 8 } }, 400, "unknown_field"],
		["a long reason", (run) => toPath(run), { reason: "x".repeat(1001) }, 400, "invalid_request"],
	])("is refused %s", async (_, path, more, status, code) => {
		const run = await pause();
		const json = { decision: "approve", ...(more as object) };
		expectApiError(await fixture.send("POST", path(run), { json }), status, code);
		expect(await fixture.waitUntilEnded(run.id)).toMatchObject({ status: "paused" });
		await fixture.cancel(run.id);
	});

	it("may send it again under its key, and nothing else", async () => {
		const run = await pause();
		const headers = { "idempotency-key": `decide-${run.id}` };
		const first = await decide(run, "approve", { headers });
		await fixture.waitUntilEnded(run.id);
		const again = await decide(run, "approve", { headers });
		expect([again.status, again.text]).toEqual([200, first.text]);
		expectApiError(await decide(run, "deny", { headers }), 409, "idempotency_conflict");
		expect(listCalls()).toEqual([{ order: 7 }]);
	});
});

describe("a client key's run", () => {
	const start = async (token: string) => {
		fixture.vendor.enqueue(callRefund(7));
		const json = { input: "Refund it." };
		return getBody<RunResult & { run_token: string }>(
			fixture.send("POST", "/v1/agents/desk/run", { json, token }),
		);
	};

	it("shows that it waits and not for what, and goes on where the page left it", async () => {
		const token = await fixture.makeKey();
		const { run_id, run_token, status, ...rest } = await start(token);
		expect(status).toBe("paused");
		expect(JSON.stringify(rest)).not.toMatch(/apr_|order|refund/);
		const headers = { "stemma-run-token": run_token };
		const send = (path: string) => fixture.send("GET", `/v1/runs/${run_id}${path}`, { token, headers });
		const { last_seq } = await getBody<RunRecord>(send(""));
		expect((await send("/events?after=0")).body).toMatchObject({ done: true });
		expect((await send(`/events?after=${last_seq}&wait_ms=30`)).body).toEqual({ data: [], done: false });
		const record = await fixture.waitUntilEnded(run_id);
		const next = send(`/events?after=${last_seq}&wait_ms=20000`);
		const approvals = record.result?.approvals ?? [];
		await getBody(decide({ id: run_id, approvals }, "approve"));
		const { data } = (await next).body as { data: WireRunEvent[] };
		expect(data[0]).toMatchObject({ type: "run.resumed", seq: last_seq + 1 });
		await fixture.waitUntilEnded(run_id);
	});

	it("fails where the key is gone: nobody is there to be charged", async () => {
		const token = await fixture.makeKey();
		const { run_id } = await start(token);
		const { result } = await fixture.waitUntilEnded(run_id);
		await getBody(fixture.send("DELETE", `/v1/client-keys/${token.split("_").slice(0, 2).join("_")}`));
		await getBody(decide({ id: run_id, approvals: result?.approvals ?? [] }, "approve"));
		expect(await fixture.waitUntilEnded(run_id)).toMatchObject({
			status: "failed",
			result: { error: { code: "client_key_deleted" } },
		});
		expect(listCalls()).toEqual([]);
	});

	it("is charged to the key's budget, also behind the pause", async () => {
		const token = await fixture.makeKey({ tokens_per_day: 20_000 });
		const { run_id } = await start(token);
		const { result } = await fixture.waitUntilEnded(run_id);
		fixture.vendor.enqueue({
			kind: "reply",
			text: "Done.",
			usage: { inputTokens: 19_000, outputTokens: 990 },
		});
		await getBody(decide({ id: run_id, approvals: result?.approvals ?? [] }, "approve"));
		expect(await fixture.waitUntilEnded(run_id)).toMatchObject({ status: "completed" });
		const json = { input: "Hello?" };
		const refused = await fixture.send("POST", "/v1/agents/desk/run", { json, token });
		expect(refused.body).toMatchObject({ status: "failed", error: { code: "budget_exhausted" } });
	});
});

describe("the client", () => {
	const connect = () =>
		new Stemma({
			clientId: fixture.credentials.client_id,
			clientSecret: fixture.credentials.client_secret,
			baseUrl: "http://service.test",
			fetch: (url, init) => fixture.deployment.service.fetch(new Request(url, init as RequestInit)),
		});

	it("streams to the pause, decides, and follows from there to the end", async () => {
		const stemma = connect();
		fixture.vendor.enqueue(callRefund(7));
		const stream = stemma.agents.stream("desk", { input: "Refund it." });
		const first: WireRunEvent[] = [];
		for await (const event of stream) first.push(event);
		const { status, run_id, approvals = [] } = await stream.result();
		expect([status, first.at(-1)?.type]).toEqual(["paused", "run.paused"]);
		const after = first.at(-1)?.seq ?? 0;
		const rest = runsOf(stemma.client).stream(run_id, { after });
		const result = rest.result();
		// Nothing comes before someone decides.
		expect(await Promise.race([result, new Promise((resolve) => setTimeout(resolve, 300, "waits"))])).toBe(
			"waits",
		);
		const decided = await stemma.runs.decide(run_id, approvals[0]?.id ?? "", { decision: "approve" });
		expect(decided.id).toBe(run_id);
		const more: WireRunEvent[] = [];
		for await (const event of rest) more.push(event);
		expect([...first, ...more].map(({ seq }) => seq)).toEqual(
			[...first, ...more].map((_, index) => index + 1),
		);
		expect((await result).output).toBe("Done.");
		// The log as a whole is read through the pause.
		expect((await stemma.runs.stream(run_id).result()).status).toBe("completed");
	});

	it("is told why a decision is refused", async () => {
		const stemma = connect();
		const run = await pause();
		const id = run.approvals[0]?.id ?? "";
		await stemma.runs.decide(run.id, id, { decision: "deny", reason: "No." });
		await expect(stemma.runs.decide(run.id, id, { decision: "approve" })).rejects.toMatchObject({
			name: "ConflictError",
			code: "approval_decided",
		});
		await fixture.waitUntilEnded(run.id);
	});
});
