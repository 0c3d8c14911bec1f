import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { Stemma } from "@stemma/client";
import { createMcpHandler, text, useRpcServer } from "@stemma/simulators/rpc";
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from "vitest";
import { hasDeployedProxy } from "../proxies/start-deployed-proxy.ts";
import { type CheckedRun, checkRun, checkStreams, type RunEvidence } from "./instances/check-runs.ts";
import { checkWrites } from "./instances/check-writes.ts";
import { Cluster } from "./instances/cluster.ts";
import { hasPostgres, type InstancesDatabase, startDatabase } from "./instances/database.ts";
import { loadWithRuns, type RunLoad, readRunEvents } from "./instances/run-load.ts";
import { createWrites } from "./instances/write-load.ts";
import { createRandom } from "./random.ts";
import { type CountingVendor, startCountingVendor } from "./receipts.ts";
import type { Api, Credentials } from "./service/api.ts";

const kills = Number(process.env.STEMMA_DURABILITY_KILLS ?? 6);
const seed = Number(process.env.STEMMA_DURABILITY_SEED ?? process.env.STEMMA_SEED ?? 1);
const INSTANCES = 3;
const WORKERS = 6;
/** After so many of them Postgres is ended, too. */
const RESTART_EACH = 5;
/** One run out of so many is streamed by each instance once it has ended. */
const REJOINED_EACH = 5;
/** Far longer than a lease and the interval at which others look: a machine may be busy. */
const RECOVERED_MS = 120_000;

const server = useRpcServer();

function findSkipReason(): string | undefined {
	if (!hasPostgres) return "there is no Postgres";
	return hasDeployedProxy("caddy") ? undefined : "there is no Caddy";
}

const skipReason = findSkipReason();

describe.skipIf(skipReason !== undefined)(
	`instances on one Postgres, behind Caddy${skipReason ? ` (skipped: ${skipReason})` : ""}`,
	() => {
		let vendor: CountingVendor;
		let database: InstancesDatabase;
		let cluster: Cluster;
		let stemma: Stemma;
		let knowledgeBase: string;
		beforeAll(async () => {
			vendor = await startCountingVendor(() => ({
				text: "It opens at nine, as it always did.",
				pauseMs: 15,
			}));
			database = await startDatabase();
			cluster = new Cluster(database.environment, vendor.baseUrl, createRandom(seed));
			const { url, credentials } = await cluster.add();
			await cluster.authenticate(url, JSON.parse(readFileSync(credentials, "utf8")) as Credentials);
			while (cluster.size < INSTANCES) await cluster.add();
			stemma = await cluster.startProxy();
			server.handle(
				createMcpHandler({ era: "modern", tools: [{ name: "refund", inputSchema }], call: refund }),
			);
			await cluster.send((api) => createAgents(api, server.url));
			knowledgeBase = (await stemma.knowledge.create({ name: "Books" })).id;
			const file = new TextEncoder().encode("The harbour opens at nine.");
			const upload = await stemma.knowledge.documents.upload(knowledgeBase, { file, name: "harbour.md" });
			await stemma.knowledge.documents.waitUntilReady(knowledgeBase, upload);
		});
		afterAll(async () => {
			await cluster?.stop();
			await database?.stop();
			await vendor?.close();
		});

		it(`lose and double nothing, end or pause each run, and call no tool twice, killed ${kills} times`, {
			timeout: 3_600_000,
		}, async () => {
			onTestFailed(() =>
				console.error(`STEMMA_DURABILITY_SEED=${seed}\n${cluster.listErrors().slice(-20).join("\n")}`),
			);
			const load = await loadAndKill();
			await expect.poll(listRunning, { timeout: RECOVERED_MS, interval: 500 }).toEqual([]);
			const checked = await checkRuns(load);
			expect(countOf(checked, "streamed", "completed")).toBeGreaterThan(kills / 2);
			expect(countOf(checked, "rejoined", "completed")).toBeGreaterThan(kills / 2);
			expect(load.rejoined).toBeGreaterThan(kills);
			expect(countOf(checked, "approved", "completed")).toBeGreaterThan(kills / 2);
			expect(countOf(checked, "paused", "paused")).toBeGreaterThan(kills / 3);
			const { writes } = load;
			await checkWrites(cluster, writes, vendor);
			for (const { size } of [writes.documents, writes.keys, writes.settings, writes.answers])
				expect(size).toBeGreaterThan(kills / 3);
			expect(cluster.listErrors().filter((line) => line.includes("internal_error"))).toEqual([]);
		});

		async function loadAndKill(): Promise<RunLoad> {
			const random = createRandom(seed);
			const ended = new AbortController();
			const load: RunLoad = {
				...{ cluster, stemma, random, runs: [], orders: 0, rejoined: 0 },
				...{ signal: ended.signal, writes: createWrites(knowledgeBase) },
			};
			const working = Promise.all(Array.from({ length: WORKERS }, () => loadWithRuns(load)));
			const killing = killAll(random).finally(() => ended.abort());
			await Promise.all([working, killing]);
			return load;
		}

		async function killAll(random: ReturnType<typeof createRandom>): Promise<void> {
			for (let kill = 0; kill < kills; kill++) {
				await wait(random.between(500, 3_000));
				await cluster.killOne();
				if (kill % RESTART_EACH === RESTART_EACH - 1) await database.restart();
			}
		}

		const listRunning = async (): Promise<readonly unknown[]> =>
			(await cluster.send((api) => api.get<{ data: unknown[] }>("/v1/runs?status=running"))).data;

		async function checkRuns({ runs }: RunLoad): Promise<readonly CheckedRun[]> {
			const random = createRandom(seed);
			const evidence: RunEvidence = { cluster, vendor, calls: listCalls() };
			const checked: CheckedRun[] = [];
			for (const run of runs) {
				checked.push(await checkRun(run, evidence));
				if (checked.length % REJOINED_EACH !== 0) continue;
				const events = await readRunEvents(cluster, run.id);
				await checkStreams({ id: run.id, events }, random.between(0, events.length - 1), cluster);
			}
			return checked;
		}
	},
);

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

const countOf = (checked: readonly CheckedRun[], kind: string, status: string): number =>
	checked.filter((run) => run.kind === kind && run.status === status).length;
