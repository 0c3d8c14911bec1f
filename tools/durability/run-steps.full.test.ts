import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMcpHandler, text, useRpcServer } from "@stemma/simulators/rpc";
import { afterAll, beforeAll, expect, it, onTestFailed } from "vitest";
import { createRandom } from "./random.ts";
import { type CountingVendor, startCountingVendor } from "./receipts.ts";
import { type Api, type Credentials, createApi, fetchToken, NoResponseError } from "./service/api.ts";
import { type ServiceProcess, startServiceProcess } from "./service/service-process.ts";
import { checkStepRun } from "./steps/check-step-run.ts";
import { createStepGraph, readTurn, STEP_TOOLS, toReply } from "./steps/step-graph.ts";
import { driveRun, type StepRun } from "./steps/step-run.ts";

/** Number of points at which the service is killed, spread over all of them; a number that is larger than theirs takes all. */
const kills = Number(process.env.STEMMA_DURABILITY_KILLS ?? 3);
const seed = Number(process.env.STEMMA_DURABILITY_SEED ?? process.env.STEMMA_SEED ?? 1);

/** Commits of a run have two points each, and calls of models and tools one: when the stand-in has got it. */
interface Point {
	readonly kind: "commit" | "call";
	readonly number: number;
}

const server = useRpcServer();
let folder: string;
let killFile: string;
let vendor: CountingVendor;
let service: ServiceProcess | undefined;
let token: string | undefined;
/** Calls of the run so far, of models and tools. */
let calls = 0;
let killAtCall = 0;

/** Counts a call of the run. Returns true where the service is killed by it: it is never answered. */
function countCall(): boolean {
	calls += 1;
	if (calls !== killAtCall) return false;
	void service?.kill();
	return true;
}

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), "stemma-steps-"));
	killFile = join(folder, "kill-at");
	vendor = await startCountingVendor((body) =>
		countCall() ? undefined : toReply(readTurn(body), JSON.stringify(body).match(/step \d+\./)?.[0] ?? ""),
	);
	server.handle(
		createMcpHandler({
			era: "modern",
			tools: STEP_TOOLS,
			call: () => (countCall() ? new Promise(() => undefined) : text("done")),
		}),
	);
});
afterAll(async () => {
	await service?.kill();
	await vendor?.close();
	rmSync(folder, { recursive: true, force: true });
});

it(`resumes a run that was killed at each of its steps, ${kills} of them`, {
	timeout: 3_600_000,
}, async () => {
	onTestFailed(() => console.error(service?.errorOutput.slice(-20).join("\n")));
	let api = await start();
	await createAgent(api);
	const whole = createRun(0);
	arm({ kind: "commit", number: 0 });
	await driveRun(api, whole);
	const points = listPoints(disarm());
	expect(points.length).toBeGreaterThan(30);
	expect(await check(api, whole, "no kill")).toBe("completed");
	const endings = new Map<string, number>();
	const sampled = sample(points);
	for (const [index, point] of sampled.entries()) {
		const run = createRun(index + 1);
		arm(point);
		await driveRun(api, run).catch(ignoreKilled);
		disarm();
		await service?.kill();
		api = await start();
		await driveRun(api, run);
		const ending = await check(api, run, JSON.stringify(point));
		endings.set(ending, (endings.get(ending) ?? 0) + 1);
	}
	expect(endings.get("completed")).toBeGreaterThan(sampled.length / 2);
	const { data } = await api.get<{ data: readonly { id: string }[] }>("/v1/runs?limit=100");
	expect(new Set(data.map(({ id }) => id)).size).toBe(Math.min(100, sampled.length + 1));
	expect(service?.errorOutput.filter((line) => line.includes("internal_error"))).toEqual([]);
});

async function start(): Promise<Api> {
	const preload = new URL("steps/kill-at-commit.mjs", import.meta.url).href;
	const environment = { NODE_OPTIONS: `--import ${preload}`, STEMMA_KILL_FILE: killFile };
	service = startServiceProcess(join(folder, "data"), vendor.baseUrl, [], { environment });
	const { url, credentials } = await service.ready;
	token ??= await fetchToken(url, JSON.parse(readFileSync(credentials, "utf8")) as Credentials);
	return createApi(url, token);
}

async function createAgent(api: Api): Promise<void> {
	const { id } = await api.post<{ id: string }>("/v1/knowledge-bases", { name: "books" });
	const path = `/v1/knowledge-bases/${id}/documents`;
	await api.post(path, { text: "Each step is paid.", source: "book.md" });
	const list = () => api.get<{ data: readonly { status: string }[] }>(path);
	await expect
		.poll(async () => (await list()).data[0]?.status, { timeout: 60_000, interval: 100 })
		.toBe("ready");
	await api.post("/v1/agents", { slug: "steps", graph: createStepGraph(server.url, id) });
}

const createRun = (number: number): StepRun => ({ order: `step ${number}.`, id: undefined, events: [] });

function arm({ kind, number }: Point): void {
	calls = 0;
	killAtCall = kind === "call" ? number : 0;
	writeFileSync(`${killFile}.passed`, "");
	writeFileSync(killFile, String(kind === "commit" ? number : 0));
}

/** Returns the numbers of points that were passed. */
function disarm(): Readonly<Record<Point["kind"], number>> {
	rmSync(killFile);
	killAtCall = 0;
	return { commit: statSync(`${killFile}.passed`).size, call: calls };
}

function listPoints(passed: Readonly<Record<Point["kind"], number>>): readonly Point[] {
	const kinds = ["call", "commit"] as const;
	return kinds.flatMap((kind) =>
		Array.from({ length: passed[kind] }, (_, index) => ({ kind, number: index + 1 })),
	);
}

/** As many as there are kills, at equal distances. */
function sample(points: readonly Point[]): readonly Point[] {
	if (kills >= points.length) return points;
	const first = createRandom(seed).next();
	return Array.from({ length: kills }, (_, index) => Math.floor(((index + first) * points.length) / kills))
		.map((at) => points[at])
		.filter((point) => point !== undefined);
}

function ignoreKilled(error: unknown): void {
	if (!(error instanceof NoResponseError)) throw error;
}

const check = (api: Api, run: StepRun, point: string): Promise<string> =>
	checkStepRun(run, { api, vendor, point, calls: listCalls(run.order) });

/** Tools that were called for an order. */
const listCalls = (order: string): readonly string[] =>
	server.received
		.filter(({ rpc }) => rpc.method === "tools/call" && JSON.stringify(rpc.params).includes(order))
		.map(({ rpc }) => String(rpc.params?.name));
