import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { afterAll, beforeAll, expect, it, onTestFailed } from "vitest";
import { createLatch } from "./latch.ts";
import { createRandom, type Random } from "./random.ts";
import { type Credentials, createApi, fetchToken } from "./service/api.ts";
import { type CheckContext, checkAcknowledged } from "./service/check.ts";
import { checkContent, findDamage, listDatabases, waitUntilReady } from "./service/check-content.ts";
import { createLedger, type Ledger } from "./service/ledger.ts";
import { type ServiceProcess, startServiceProcess } from "./service/service-process.ts";
import { createTestData, type TestData } from "./service/test-data.ts";
import { runWorkload } from "./service/workload.ts";

const kills = Number(process.env.STEMMA_DURABILITY_KILLS ?? 12);
const seed = Number(process.env.STEMMA_DURABILITY_SEED ?? process.env.STEMMA_SEED ?? 1);
const WORKERS = 6;
/** However little happens between two of them. */
const MAX_KILLS = 4 * kills;

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

/** A document at which the service has ended five times is given up, so on each fourth start all that wait are read first. */
const CATCH_UP_EACH = 4;

it(`loses nothing that it acknowledged, killed ${kills} times`, { timeout: 900_000 }, async () => {
	onTestFailed(() =>
		console.error(`STEMMA_DURABILITY_SEED=${seed}\n${service?.errorOutput.slice(-20).join("\n")}`),
	);
	const random = createRandom(seed);
	const ledger = createLedger();
	let testData: TestData | undefined;
	for (let kill = 0; kill < kills || (kill < MAX_KILLS && listIdle(ledger).length > 0); kill++) {
		const catchesUp = kill % CATCH_UP_EACH === CATCH_UP_EACH - 1;
		if (!catchesUp && random.next() < 0.2) await killWhileStarting(random);
		else testData = await serveAndKill(testData, ledger, random, catchesUp);
	}
	const { context } = await open(testData);
	await checkAcknowledged(context, ledger);
	await waitUntilReady(context);
	await checkContent(context, ledger);
	expect(listIdle(ledger)).toEqual([]);
	await service?.kill();
	for (const file of listDatabases(folder))
		expect({ file, damage: findDamage(file) }).toEqual({ file, damage: [] });
});

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

async function open(
	known: TestData | undefined,
): Promise<{ readonly context: CheckContext; readonly testData: TestData }> {
	const { url, credentials } = await start().ready;
	const token = known?.token ?? (await fetchToken(url, readCredentials(credentials)));
	const api = createApi(url, token);
	const testData = known ?? { token, ...(await createTestData(api)) };
	return { testData, context: { url, api, knowledgeBase: testData.knowledgeBase } };
}

const readCredentials = (file: string): Credentials => JSON.parse(readFileSync(file, "utf8")) as Credentials;

/** Looks whether all is there, then works, and is cut off in the middle of it. */
async function serveAndKill(
	known: TestData | undefined,
	ledger: Ledger,
	random: Random,
	catchesUp: boolean,
): Promise<TestData> {
	const { context, testData } = await open(known);
	await checkAcknowledged(context, ledger);
	if (catchesUp) await waitUntilReady(context);
	const ended = new AbortController();
	const done = createLatch(random.between(0, 30));
	const workers = Array.from({ length: WORKERS }, (_, worker) =>
		runWorkload({
			...testData,
			...context,
			ledger,
			worker,
			random: createRandom(random.between(0, 2 ** 31)),
			signal: ended.signal,
			onDone: done.count,
		}),
	);
	const working = Promise.all(workers);
	// On a busy machine less is done in the same time.
	await Promise.race([Promise.all([wait(random.between(50, 800)), done.done]), working]);
	await service?.kill();
	ended.abort();
	await working;
	expect(service?.errorOutput.filter((line) => line.includes("internal_error"))).toEqual([]);
	return testData;
}

/** A test in which nothing happens proves nothing: what has happened too seldom so far. On a busy machine it takes more kills. */
function listIdle({ sources, unsourced, creations, runs }: Ledger): string[] {
	const completed = runs.filter(({ isCompleted }) => isCompleted).length;
	const enough = {
		replacements: [...sources.values()].filter(({ old }) => old.length > 0).length > kills,
		uploads: unsourced.size > kills,
		creations: creations.length > kills / 2,
		"completed runs": completed > kills / 6,
		"runs that were cut off": runs.length - completed > kills / 6,
	};
	return Object.entries(enough).flatMap(([name, isEnough]) => (isEnough ? [] : [name]));
}
