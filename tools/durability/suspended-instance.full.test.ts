import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { createMcpHandler, text, useRpcServer } from "@stemma/simulators/rpc";
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from "vitest";
import { Cluster } from "./instances/cluster.ts";
import { hasPostgres, type InstancesDatabase, startDatabase } from "./instances/database.ts";
import { readRunEvents } from "./instances/run-load.ts";
import { createRandom } from "./random.ts";
import { type Api, type Credentials, createApi, fetchToken } from "./service/api.ts";

const RUNS = 8;
const TOOLS = ["first", "second", "third"];
/** Twice the lease of an instance. */
const SUSPENDED_MS = 30_000;
/** Far longer than a lease and the interval at which others look: a machine may be busy. */
const RECOVERED_MS = 120_000;
/** Time in which an instance that goes on would write what it has not: it retries every 500 ms. */
const WRITTEN_MS = 3_000;

const server = useRpcServer();

describe.skipIf(!hasPostgres)("an instance whose process is suspended for longer than its lease", () => {
	let vendor: OpenAiSimulator;
	let database: InstancesDatabase;
	let cluster: Cluster;
	let ownerUrl: string;
	let owner: Api;
	beforeAll(async () => {
		vendor = await startOpenAiSimulator({
			behaviour: (body) => ({ kind: "reply", text: readOrder(JSON.stringify(body.messages)), pauseMs: 15 }),
		});
		database = await startDatabase();
		cluster = new Cluster(database.environment, vendor.baseUrl, createRandom(1));
		const added = await cluster.add();
		ownerUrl = added.url;
		cluster.token = await fetchToken(
			ownerUrl,
			JSON.parse(readFileSync(added.credentials, "utf8")) as Credentials,
		);
		owner = createApi(ownerUrl, cluster.token);
		server.handle(
			createMcpHandler({
				era: "modern",
				tools: TOOLS.map((name) => ({ name, inputSchema })),
				async call({ input }) {
					const order = readOrder(String(input));
					// So runs are at different steps when their instance is suspended.
					await wait(200 + 100 * Number(order.slice("order ".length)));
					return text(order);
				},
			}),
		);
		await owner.post("/v1/agents", { slug: "steps", graph: createGraph(server.url) });
		await cluster.add();
	});
	afterAll(async () => {
		await cluster?.stop();
		await database?.stop();
		await vendor?.close();
	});

	const startRun = async (order: number): Promise<string> =>
		(
			await owner.post<{ id: string }>("/v1/agents/steps/run", {
				input: `order ${order}`,
				background: true,
			})
		).id;
	const readRun = (id: string) => cluster.send((api) => api.get<RunRecord>(`/v1/runs/${id}`));
	const listRunning = async (): Promise<readonly unknown[]> =>
		(await cluster.send((api) => api.get<{ data: unknown[] }>("/v1/runs?status=running"))).data;

	it("writes nothing of the runs that another one has ended, and goes on with new ones", {
		timeout: 400_000,
	}, async () => {
		onTestFailed(() => console.error(`${cluster.listErrors().join("\n")}\n${JSON.stringify(listCalls())}`));
		const ids = await Promise.all(Array.from({ length: RUNS }, (_, order) => startRun(order)));
		await expect
			.poll(() => listCalls().filter(({ name }) => name === "third").length, { timeout: RECOVERED_MS })
			.toBeGreaterThan(0);
		const resume = cluster.suspend(ownerUrl);
		await wait(SUSPENDED_MS);
		await expect.poll(listRunning, { timeout: RECOVERED_MS, interval: 500 }).toEqual([]);
		const ended = await Promise.all(ids.map((id) => readRunEvents(cluster, id)));
		resume();
		const next = await startRun(RUNS);
		await expect.poll(async () => (await readRun(next)).status, { timeout: RECOVERED_MS }).toBe("completed");
		await wait(WRITTEN_MS);

		expect(await Promise.all(ids.map((id) => readRunEvents(cluster, id)))).toEqual(ended);
		const records = await Promise.all(ids.map(readRun));
		for (const [index, { status, last_seq, result }] of records.entries()) {
			const events = ended[index] ?? [];
			expect(events.map(({ seq }) => seq)).toEqual(events.map((_, position) => position + 1));
			expect([events.length, events.at(-1)?.type]).toEqual([last_seq, `run.${status}`]);
			if (status === "failed") expect(["interrupted", "outcome_unknown"]).toContain(result.error?.code);
			for (const name of TOOLS) {
				const calls = listCalls().filter((call) => call.name === name && call.order === `order ${index}`);
				expect(calls.length).toBeLessThanOrEqual(1);
				if (status === "completed") expect(calls).toHaveLength(1);
			}
		}
		expect(records.filter(({ status }) => status === "failed").length).toBeGreaterThan(0);
		expect(cluster.listErrors().filter((line) => line.includes("internal_error"))).toEqual([]);
	});
});

interface RunRecord {
	readonly status: string;
	readonly last_seq: number;
	readonly result: { readonly error?: { readonly code: string } };
}

const inputSchema = { type: "object", properties: { input: { type: "string" } }, required: ["input"] };

const readOrder = (words = ""): string => words.match(/order \d+/)?.[0] ?? "";

/** The coordinator repeats the order; then each tool gets it from the one before. */
const createGraph = (url: string) => ({
	nodes: [
		{ id: "desk", kind: "coordinator" },
		...TOOLS.map((id) => ({ id, kind: "tool", tool: id, server: url })),
	],
	edges: TOOLS.map((to, index) => ({ from: TOOLS[index - 1] ?? "desk", to, mode: "then" })),
});

/** Calls of tools so far, with the orders that they were for. */
const listCalls = () =>
	server.received
		.filter(({ rpc }) => rpc.method === "tools/call")
		.map(({ rpc }) => {
			const { name, arguments: args } = rpc.params as { name: string; arguments: { input: string } };
			return { name, order: readOrder(args.input) };
		});
