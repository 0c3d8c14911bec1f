import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, onTestFailed } from "vitest";
import { type OpenAiSimulator, startOpenAiSimulator } from "../simulators/openai/simulator.ts";
import { type Api, type Credentials, createApi, fetchToken } from "./api.ts";
import { checkAcknowledged, type Place } from "./check.ts";
import { checkContent, findDamage, listDatabases, whenReady } from "./check-content.ts";
import { countTo } from "./count-to.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { createRandom, type Random } from "./random.ts";
import { type ServiceProcess, startServiceProcess } from "./service-process.ts";
import { keepBusy } from "./workload.ts";

const kills = Number(process.env.STEMMA_DURABILITY_KILLS ?? 30);
const seed = Number(process.env.STEMMA_DURABILITY_SEED ?? Date.now() % 1_000_000);
const WORKERS = 6;
/** However little happens between two of them. */
const MOST_KILLS = 4 * kills;

let folder: string;
let vendor: OpenAiSimulator;
let service: ServiceProcess | undefined;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), "stemma-durability-"));
	// Slow enough for runs to be under way at any moment.
	vendor = await startOpenAiSimulator({
		behaviour: () => ({ kind: "reply", text: "It opens at nine, as it always did.", pauseMs: 15 }),
	});
});
afterAll(async () => {
	await service?.kill();
	await vendor.close();
	rmSync(folder, { recursive: true, force: true });
});

it(`loses nothing that it acknowledged, killed ${kills} times`, { timeout: 300_000 }, async () => {
	onTestFailed(() =>
		console.error(`STEMMA_DURABILITY_SEED=${seed}\n${service?.complaints.slice(-20).join("\n")}`),
	);
	const random = createRandom(seed);
	const ledger = createLedger();
	let home: Home | undefined;
	for (let kill = 0; kill < kills || (kill < MOST_KILLS && listIdle(ledger).length > 0); kill++) {
		if (random.next() < 0.2) await killWhileStarting(random);
		else home = await serveAndKill(home, ledger, random);
	}
	const { place } = await open(home);
	await checkAcknowledged(place, ledger);
	await whenReady(place);
	await checkContent(place, ledger);
	expect(listIdle(ledger)).toEqual([]);
	await service?.kill();
	for (const file of listDatabases(folder))
		expect({ file, damage: findDamage(file) }).toEqual({ file, damage: [] });
});

/** What stays the same over all starts. */
interface Home {
	/** On the disk, like all that was acknowledged: a start ends no token. */
	readonly token: string;
	readonly knowledgeBase: string;
	readonly agent: string;
}

function start(): ServiceProcess {
	service = startServiceProcess(folder, vendor.baseUrl);
	return service;
}

/** Before it listens, or just after. */
async function killWhileStarting(random: Random): Promise<void> {
	const starting = start();
	await wait(random.between(50, 400));
	await starting.kill();
}

async function open(known: Home | undefined): Promise<{ readonly place: Place; readonly home: Home }> {
	const { url, credentials } = await start().ready;
	const token = known?.token ?? (await fetchToken(url, readCredentials(credentials)));
	const api = createApi(url, token);
	const home = known ?? { token, ...(await furnish(api)) };
	return { home, place: { url, api, knowledgeBase: home.knowledgeBase } };
}

const readCredentials = (file: string): Credentials => JSON.parse(readFileSync(file, "utf8")) as Credentials;

async function furnish(api: Api): Promise<Omit<Home, "token">> {
	const { id: knowledgeBase } = await api.post<{ id: string }>("/v1/knowledge-bases", { name: "books" });
	const graph = {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "books", kind: "knowledge", knowledgeBases: [knowledgeBase] },
		],
		edges: [{ from: "desk", to: "books", mode: "before" }],
	};
	const { id: agent } = await api.post<{ id: string }>("/v1/agents", { graph, slug: "desk" });
	return { knowledgeBase, agent };
}

/** Looks whether all is there, then works, and is cut off in the middle of it. */
async function serveAndKill(known: Home | undefined, ledger: Ledger, random: Random): Promise<Home> {
	const { place, home } = await open(known);
	await checkAcknowledged(place, ledger);
	const over = new AbortController();
	const done = countTo(random.between(0, 30));
	const workers = Array.from({ length: WORKERS }, (_, worker) =>
		keepBusy({
			...home,
			...place,
			ledger,
			worker,
			random: createRandom(random.between(0, 2 ** 31)),
			signal: over.signal,
			onDone: done.count,
		}),
	);
	const working = Promise.all(workers);
	// On a busy machine less is done in the same time.
	await Promise.race([Promise.all([wait(random.between(50, 800)), done.reached]), working]);
	await service?.kill();
	over.abort();
	await working;
	expect(service?.complaints.filter((line) => line.includes("internal_error"))).toEqual([]);
	return home;
}

/** A test in which nothing happens proves nothing: what has happened too seldom so far. On a busy machine it takes more kills. */
function listIdle({ sources, plain, creations, runs }: Ledger): string[] {
	const completed = runs.filter(({ isCompleted }) => isCompleted).length;
	const enough = {
		replacements: [...sources.values()].filter(({ old }) => old.length > 0).length > kills,
		uploads: plain.size > kills,
		creations: creations.length > kills / 2,
		"completed runs": completed > kills / 6,
		"runs that were cut off": runs.length - completed > kills / 6,
	};
	return Object.entries(enough).flatMap(([name, isEnough]) => (isEnough ? [] : [name]));
}
