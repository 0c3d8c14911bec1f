import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { createMcpHandler, text, useRpcServer } from "@stemma/simulators/rpc";
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from "vitest";
import { checkWrites } from "./instances/check-writes.ts";
import { Cluster } from "./instances/cluster.ts";
import { hasPostgres, type InstancesDatabase, startDatabase } from "./instances/database.ts";
import { loadWithRuns, type RunLoad, readRunEvents, type SeenRun } from "./instances/run-load.ts";
import { createWrites } from "./instances/write-load.ts";
import { createRandom } from "./random.ts";
import type { Api, Credentials } from "./service/api.ts";

const kills = Number(process.env.STEMMA_DURABILITY_KILLS ?? 6);
const seed = Number(process.env.STEMMA_DURABILITY_SEED ?? process.env.STEMMA_SEED ?? 1);
const INSTANCES = 3;
const WORKERS = 6;
/** After so many of them Postgres is ended, too. */
const RESTART_EACH = 5;
/** Far longer than a lease and the interval at which others look: a machine may be busy. */
const RECOVERED_MS = 120_000;

/** Its instance was killed, or it asked for something while Postgres was gone. */
const FAILURES = ["interrupted", "outcome_unknown", "storage_unavailable"];

const server = useRpcServer();

describe.skipIf(!hasPostgres)("instances on one Postgres", () => {
	let vendor: OpenAiSimulator;
	let database: InstancesDatabase;
	let cluster: Cluster;
	let knowledgeBase: string;
	beforeAll(async () => {
		vendor = await startOpenAiSimulator({
			behaviour: () => ({ kind: "reply", text: "It opens at nine, as it always did.", pauseMs: 15 }),
		});
		database = await startDatabase();
		cluster = new Cluster(database.environment, vendor.baseUrl, createRandom(seed));
		const { url, credentials } = await cluster.add();
		await cluster.authenticate(url, JSON.parse(readFileSync(credentials, "utf8")) as Credentials);
		server.handle(
			createMcpHandler({ era: "modern", tools: [{ name: "refund", inputSchema }], call: refund }),
		);
		await cluster.send((api) => createAgents(api, server.url));
		while (cluster.size < INSTANCES) await cluster.add();
		knowledgeBase = await cluster.send(
			async (api) => (await api.post<{ id: string }>("/v1/knowledge-bases", { name: "Books" })).id,
		);
	});
	afterAll(async () => {
		await cluster?.stop();
		await database?.stop();
		await vendor?.close();
	});

	it(`lose and double nothing, end or pause each run, and call no tool twice, killed ${kills} times`, {
		timeout: 3_600_000,
	}, async () => {
		onTestFailed(() => console.error(`STEMMA_DURABILITY_SEED=${seed}\n${cluster.listErrors().join("\n")}`));
		const random = createRandom(seed);
		const ended = new AbortController();
		const writes = createWrites(knowledgeBase);
		const load: RunLoad = { cluster, random, runs: [], signal: ended.signal, orders: 0, writes };
		const working = Promise.all(Array.from({ length: WORKERS }, () => loadWithRuns(load)));
		const killing = killAll(random).finally(() => ended.abort());
		await Promise.all([working, killing]);
		await expect.poll(listRunning, { timeout: RECOVERED_MS, interval: 500 }).toEqual([]);
		const checked: Awaited<ReturnType<typeof checkRun>>[] = [];
		for (const run of load.runs) checked.push(await checkRun(run));
		expect(countOf(checked, "streamed", "completed")).toBeGreaterThan(kills);
		expect(countOf(checked, "approved", "completed")).toBeGreaterThan(kills / 2);
		expect(countOf(checked, "paused", "paused")).toBeGreaterThan(kills / 3);
		await checkWrites(cluster, writes);
		for (const count of [writes.documents.size, writes.keys.size, writes.settings.size, writes.answers])
			expect(count).toBeGreaterThan(kills / 3);
		expect(cluster.listErrors().filter((line) => line.includes("internal_error"))).toEqual([]);
	});

	async function killAll(random: ReturnType<typeof createRandom>): Promise<void> {
		for (let kill = 0; kill < kills; kill++) {
			await wait(random.between(500, 3_000));
			await cluster.killOne();
			if (kill % RESTART_EACH === RESTART_EACH - 1) await database.restart();
		}
	}

	const listRunning = async (): Promise<readonly unknown[]> =>
		(await cluster.send((api) => api.get<{ data: unknown[] }>("/v1/runs?status=running"))).data;

	/** Its events are whole and what was streamed; its tool was called at most once, and once where it has completed and knows so. */
	async function checkRun({ id, kind, events: seen }: SeenRun) {
		const record = await cluster.send((api) => api.get<RunRecord>(`/v1/runs/${id}`));
		const events = await readRunEvents(cluster, id);
		const message = `${id} (${kind}): ${JSON.stringify(record)}`;
		expect(
			events.map(({ seq }) => seq),
			message,
		).toEqual(events.map((_, index) => index + 1));
		expect([events.length, events.at(-1)?.type], message).toEqual([record.last_seq, `run.${record.status}`]);
		expect(events.slice(0, seen.length), message).toEqual(seen);
		if (record.status === "failed") expect(FAILURES, message).toContain(record.result.error?.code);
		const calls = listCalls().filter((order) => order === record.input.input).length;
		const isUnknown = JSON.stringify(events).includes("outcome_unknown");
		const isCalled = kind === "approved" && record.status === "completed" && !isUnknown;
		expect(calls, message).toBeLessThanOrEqual(kind === "approved" ? 1 : 0);
		if (isCalled) expect(calls, message).toBe(1);
		checkReceipt(record, message);
		return { kind, status: record.status };
	}

	/** The vendor has got each call that is on its receipt, and has answered one where the run has completed. */
	function checkReceipt({ status, input, result }: RunRecord, message: string): void {
		const asked = vendor.requests.filter(({ body }) => readOrder(body) === input.input);
		// A call that was in flight when its instance was killed is on no receipt.
		expect(result.receipt.length, message).toBeLessThanOrEqual(asked.length);
		if (status !== "completed") return;
		expect(result.receipt.length, message).toBeGreaterThan(0);
		expect(asked.filter(({ isAnswered }) => isAnswered).length, message).toBeGreaterThan(0);
		// One call is enough for it; it was made again for each instance that was killed meanwhile.
		if (asked.length === 1) expect(result.receipt, message).toHaveLength(1);
	}
});

interface RunRecord {
	readonly status: string;
	readonly last_seq: number;
	readonly input: { readonly input: string };
	readonly result: { readonly receipt: readonly unknown[]; readonly error?: { readonly code: string } };
}

/** The order that a request to the vendor is about. */
const readOrder = (body: unknown): string => JSON.stringify(body ?? "").match(/order \d+/)?.[0] ?? "";

const inputSchema = { type: "object", properties: { input: { type: "string" } } };
const refund = async (): Promise<object> => {
	await wait(50);
	return text("It is refunded.");
};

/** Orders that were refunded, in the order of the calls. */
const listCalls = (): readonly string[] =>
	server.received
		.filter(({ rpc }) => rpc.method === "tools/call")
		.map(({ rpc }) => (rpc.params as { readonly arguments: { readonly input: string } }).arguments.input);

async function createAgents(api: Api, url: string): Promise<void> {
	await api.post("/v1/agents", { slug: "plain", graph: { nodes: [{ id: "desk", kind: "coordinator" }] } });
	await api.post("/v1/agents", {
		slug: "guarded",
		graph: {
			nodes: [
				{ id: "desk", kind: "coordinator" },
				{ id: "refund", kind: "tool", tool: "refund", server: url, approval: true },
			],
			edges: [{ from: "desk", to: "refund", mode: "before" }],
		},
	});
}

const countOf = (
	checked: readonly { readonly kind: string; readonly status: string }[],
	kind: string,
	status: string,
): number => checked.filter((run) => run.kind === kind && run.status === status).length;
