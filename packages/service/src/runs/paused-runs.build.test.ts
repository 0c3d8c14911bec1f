import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { RunRecord, WireRunEvent } from "@stemma/client";
import * as built from "@stemma/service";
import { type Call, createMcpHandler, text, useRpcServer } from "@stemma/simulators/rpc";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type A2aFixture, startA2aFixture } from "../a2a/test-support/a2a-fixture";
import { expectApiError } from "../test-support/expect-error";
import { callRefund, REFUND_TOOLS, toRefundGraph } from "../test-support/refund-graph";
import { listDatabases } from "../test-support/stored-rows";
import { getBody } from "../test-support/tenant";

let fixture: A2aFixture;
const server = useRpcServer();
beforeAll(async () => {
	fixture = await startA2aFixture(built);
	await getBody(
		fixture.send("POST", "/v1/agents", { json: { graph: toRefundGraph(server.url), slug: "refunds" } }),
	);
});
afterAll(() => fixture?.close());
afterEach(() => {
	server.received.length = 0;
});

const serve = (call: Call = () => text("It is refunded.")): void =>
	server.handle(createMcpHandler({ era: "modern", tools: REFUND_TOOLS, ttlMs: 0, call }));

const listCalls = (): unknown[] =>
	server.received.filter(({ rpc }) => rpc.method === "tools/call").map(({ rpc }) => rpc.params?.arguments);

const read = (id: string) => getBody<RunRecord>(fixture.send("GET", `/v1/runs/${id}`));

async function pause(): Promise<RunRecord> {
	fixture.vendor.enqueue(callRefund(7));
	const json = { input: "Refund it." };
	const { run_id } = await getBody<{ run_id: string }>(
		fixture.send("POST", "/v1/agents/refunds/run", { json }),
	);
	const run = await read(run_id);
	expect(run.status).toBe("paused");
	return run;
}

const decide = ({ id, result }: RunRecord, decision: "approve" | "deny") =>
	fixture.send("POST", `/v1/runs/${id}/approvals/${result?.approvals?.[0]?.id}`, { json: { decision } });

const waitForStatus = (id: string, status: RunRecord["status"]) =>
	expect.poll(() => read(id), { interval: 20 }).toMatchObject({ status });

/** In the file of the workspace, which the service has not opened. */
function inFile<Result>(work: (database: DatabaseSync) => Result): Result {
	const database = new DatabaseSync(listDatabases(fixture.folder)[1] ?? join(fixture.folder, "none"));
	try {
		return work(database);
	} finally {
		database.close();
	}
}

const readSeqs = async (id: string): Promise<readonly number[]> => {
	const { data } = await getBody<{ data: WireRunEvent[] }>(
		fixture.send("GET", `/v1/runs/${id}/events?after=0`),
	);
	return data.map(({ seq }) => seq);
};

describe("a run that waits", () => {
	it.each<[string, () => Promise<() => Promise<void>>]>([
		["kill -9", () => fixture.stop().then(fixture.startInProcess)],
		["an orderly end", async () => fixture.stop],
	])("outlives %s, and goes on with exactly what was asked", async (_, interrupt) => {
		serve();
		const end = await interrupt();
		const run = await pause();
		const graph = toRefundGraph(server.url, { arguments: { order: 666 } });
		await getBody(fixture.send("PUT", "/v1/agents/refunds", { json: { graph } }));
		await end();
		await fixture.start();
		expect(await read(run.id)).toEqual(run);
		expect(listCalls()).toEqual([]);
		await getBody(decide(run, "approve"));
		await waitForStatus(run.id, "completed");
		expect(listCalls()).toEqual([{ order: 7 }]);
		const seqs = await readSeqs(run.id);
		expect(seqs).toEqual(seqs.map((_, index) => index + 1));
		await getBody(fixture.send("PUT", "/v1/agents/refunds", { json: { graph: toRefundGraph(server.url) } }));
		expect(inFile((file) => file.prepare("SELECT count(*) AS n FROM run_states").get()?.n)).toBe(0);
	});

	it("is resumed after a kill behind the decision, and what was called is never called again", async () => {
		serve(() => new Promise(() => undefined));
		await fixture.stop();
		const kill = await fixture.startInProcess();
		const run = await pause();
		await getBody(decide(run, "approve"));
		await expect.poll(listCalls).toEqual([{ order: 7 }]);
		await kill();
		serve();
		await fixture.start();
		await waitForStatus(run.id, "completed");
		expect(JSON.stringify(fixture.vendor.requests.at(-1)?.body)).toContain("outcome_unknown");
		expect((await decide(run, "approve")).status).toBe(200);
		expectApiError(await decide(run, "deny"), 409, "approval_decided");
		expect(listCalls()).toEqual([]);
	});

	it("goes on by itself where a kill came between the decision and all else", async () => {
		serve();
		const run = await pause();
		await fixture.stop();
		inFile((file) =>
			file
				.prepare(
					"UPDATE approvals SET decision = 'approve', decided_by = 'cl_1', decided_at = 1 WHERE run_id = ?",
				)
				.run(run.id),
		);
		await fixture.start();
		await waitForStatus(run.id, "completed");
		expect(listCalls()).toEqual([{ order: 7 }]);
	});

	it("is denied once nobody has decided in time, also while the service was down", async () => {
		serve();
		const run = await pause();
		await fixture.stop();
		inFile((file) => file.prepare("UPDATE approvals SET expires_at = 1 WHERE run_id = ?").run(run.id));
		await fixture.start();
		await waitForStatus(run.id, "completed");
		expect(listCalls()).toEqual([]);
		expect(JSON.stringify(fixture.vendor.requests.at(-1)?.body)).toContain("Nobody decided in time.");
		for (const decision of ["approve", "deny"] as const)
			expectApiError(await decide(run, decision), 410, "approval_expired");
	});

	it("fails clearly where its state is one that this version does not take", async () => {
		serve();
		const run = await pause();
		await fixture.stop();
		inFile((file) =>
			file.prepare(`UPDATE run_states SET state = '{"version": 999}' WHERE run_id = ?`).run(run.id),
		);
		await fixture.start();
		await getBody(decide(run, "approve"));
		expect(await read(run.id)).toMatchObject({
			status: "failed",
			result: { error: { code: "invalid_run" } },
		});
		expect(listCalls()).toEqual([]);
	});

	it.each([
		["approve", "secret_missing"],
		["deny", "approval_denied"],
	] as const)(
		"whose secret is gone meanwhile tells the model, once someone says %s",
		async (verdict, code) => {
			serve();
			const put = { server_url: server.url, value: "a-secret-value-of-billing" };
			await getBody(fixture.send("PUT", "/v1/workspace/secrets/billing", { json: put }));
			const graph = toRefundGraph(server.url, { auth: { secret: "billing" } });
			await getBody(fixture.send("PUT", "/v1/agents/refunds", { json: { graph } }));
			const run = await pause();
			await getBody(fixture.send("DELETE", "/v1/workspace/secrets/billing"));
			await getBody(decide(run, verdict));
			await waitForStatus(run.id, "completed");
			expect(listCalls()).toEqual([]);
			expect(JSON.stringify(fixture.vendor.requests.at(-1)?.body)).toContain(code);
		},
	);

	it("shows no secret in what is kept of it", async () => {
		serve();
		const put = { server_url: server.url, value: "a-secret-value-of-billing" };
		await getBody(fixture.send("PUT", "/v1/workspace/secrets/billing", { json: put }));
		const graph = toRefundGraph(server.url, { auth: { secret: "billing" } });
		await getBody(fixture.send("PUT", "/v1/agents/refunds", { json: { graph } }));
		const run = await pause();
		const storedRows = inFile((file) =>
			JSON.stringify(file.prepare("SELECT * FROM run_states WHERE run_id = ?").get(run.id)),
		);
		expect(storedRows).toContain("Refund it.");
		expect(storedRows).not.toContain("a-secret-value-of-billing");
	});
});
