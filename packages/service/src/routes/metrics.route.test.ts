import * as built from "@stemma/service";
import { createMcpHandler, text, useRpcServer } from "@stemma/simulators/rpc";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type GraphFixture, startGraphFixture } from "../agent-ports/test-support/graph-fixture";
import { isAboutOneInstance } from "../test-support/alternating-service";
import { callRefund, REFUND_TOOLS, toRefundGraph } from "../test-support/refund-graph";
import { getBody } from "../test-support/tenant";
import { isOnPostgres } from "../test-support/test-database";

const TOKEN = "a-token-of-the-operators";

let fixture: GraphFixture;
const server = useRpcServer();
beforeAll(async () => {
	fixture = await startGraphFixture(built, { metrics: { token: { value: TOKEN } } });
	server.handle(
		createMcpHandler({ era: "modern", tools: REFUND_TOOLS, ttlMs: 0, call: () => text("It is refunded.") }),
	);
	await fixture.save("desk", toRefundGraph(server.url));
});
afterAll(() => fixture?.close());

/** Values of the metrics by name and labels, as they are written. */
async function scrape(): Promise<ReadonlyMap<string, number>> {
	const response = await fixture.deployment.service.fetch(
		new Request("http://127.0.0.1:4000/metrics", { headers: { authorization: `Bearer ${TOKEN}` } }),
	);
	const lines = (await response.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
	return new Map(
		lines.map((line) => {
			const end = line.lastIndexOf(" ");
			return [line.slice(0, end), Number(line.slice(end + 1))];
		}),
	);
}

const read = async (series: string): Promise<number> => (await scrape()).get(series) ?? 0;

it.skipIf(isAboutOneInstance("each has metrics of its own"))(
	"counts documents, passages, searches and the writes of all that",
	async () => {
		const { id } = await getBody<{ id: string }>(
			fixture.send("POST", "/v1/knowledge-bases", { json: { name: "Office" } }),
		);
		const documents = `/v1/knowledge-bases/${id}/documents`;
		await fixture.send("POST", documents, { json: { text: "The office opens at nine." } });
		await expect.poll(() => read('stemma_documents_ingested_total{outcome="completed"}')).toBe(1);
		expect(await read("stemma_passages_stored_total")).toBe(1);
		const searches = await read("stemma_retrieval_duration_seconds_count");
		await fixture.send("POST", "/v1/search", { json: { query: "opens", knowledge_base_ids: [id] } });
		expect(await read("stemma_retrieval_duration_seconds_count")).toBe(searches + 1);
		const writes = await read("stemma_database_write_duration_seconds_count");
		await getBody(fixture.send("POST", "/v1/knowledge-bases", { json: { name: "Another" } }));
		expect(await read("stemma_database_write_duration_seconds_count")).toBeGreaterThan(writes);
		// In seconds: a write of milliseconds is none of minutes.
		expect(await read("stemma_database_write_duration_seconds_sum")).toBeLessThan(60);
	},
);

it.skipIf(isAboutOneInstance("each has metrics of its own"))(
	"shows runs that wait for approvals, and streams while they are sent",
	async () => {
		fixture.vendor.enqueue(callRefund(7));
		const { run_id, status } = await fixture.run("desk", "Refund it.");
		expect([status, await read("stemma_runs_paused")]).toEqual(["paused", 1]);
		const left = new AbortController();
		const authorization = `Bearer ${fixture.token}`;
		const response = await fixture.deployment.service.fetch(
			new Request(`http://127.0.0.1:4000/v1/runs/${run_id}/events?after=1000`, {
				headers: { authorization, accept: "text/event-stream" },
				signal: left.signal,
			}),
		);
		expect(response.headers.get("content-type")).toBe("text/event-stream");
		expect(await read("stemma_streams_open")).toBe(1);
		// The scrape itself is in flight, too.
		expect(await read("stemma_requests_in_flight")).toBe(2);
		left.abort();
		await vi.waitFor(async () => expect(await read("stemma_streams_open")).toBe(0));
		expect(await read("stemma_requests_in_flight")).toBe(1);
		await fixture.send("POST", `/v1/runs/${run_id}/cancel`);
		expect(await read("stemma_runs_paused")).toBe(0);
	},
);

it.skipIf(isAboutOneInstance("each has metrics of its own"))(
	"counts sign-ins that are refused, by their method, and errors by their code",
	async () => {
		const form = new URLSearchParams({
			grant_type: "client_credentials",
			client_id: "cl_nobody",
			client_secret: "cs_wrong",
		});
		await fixture.send("POST", "/oauth/token", { form, token: null });
		await fixture.send("GET", "/v1/agents", { token: "tok_wrong" });
		await fixture.send("GET", "/v1/agents", { token: "tok_wrong" });
		const series = await scrape();
		expect(series.get('stemma_sign_ins_refused_total{method="client",reason="refused"}')).toBe(1);
		expect(series.get('stemma_sign_ins_refused_total{method="credential",reason="refused"}')).toBe(2);
		expect(series.get('stemma_errors_total{code="invalid_credentials"}')).toBe(2);
	},
);

it("says how much space the disk has, and how long the process has run", async () => {
	const series = await scrape();
	expect(series.get("stemma_disk_free_bytes")).toBeGreaterThan(1e6);
	// A database has its own disk: nothing is kept free for it here.
	expect(series.get("stemma_disk_reserve_bytes")).toBeGreaterThan(isOnPostgres() ? -1 : 1e6);
	expect(series.get("stemma_workspaces_unavailable")).toBe(0);
	expect(series.get("process_cpu_seconds_total")).toBeGreaterThan(0);
	expect(Math.abs((series.get("process_start_time_seconds") ?? 0) - Date.now() / 1000)).toBeLessThan(3600);
});

it.skipIf(!isOnPostgres())("shows the connections to Postgres, and the lease of the instance", async () => {
	const series = await scrape();
	const connections = ["in_use", "idle", "waiting"].map((state) =>
		series.get(`stemma_database_connections{state="${state}"}`),
	);
	expect(connections).toEqual([expect.any(Number), expect.any(Number), 0]);
	expect((connections[0] ?? 0) + (connections[1] ?? 0)).toBeGreaterThan(0);
	expect(series.get("stemma_instance_lease_age_seconds")).toBeGreaterThanOrEqual(0);
	expect(series.get("stemma_instance_reconnects_total")).toBe(0);
	expect(series.get("stemma_runs_lost_total") ?? 0).toBe(0);
});
