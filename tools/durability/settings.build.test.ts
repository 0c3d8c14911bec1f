import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, onTestFailed } from "vitest";
import { type OpenAiSimulator, startOpenAiSimulator } from "../simulators/openai/simulator.ts";
import { createApi } from "./api.ts";
import { findDamage, listDatabases } from "./check-content.ts";
import { countTo } from "./count-to.ts";
import { createEncryptionKeys } from "./encryption-keys.ts";
import { findPlain, toForms } from "./find-plain.ts";
import { makeWorkspaces } from "./make-workspaces.ts";
import { createRandom } from "./random.ts";
import { createRotations, type Life, type Rotations } from "./rotations.ts";
import { type ServiceProcess, startServiceProcess } from "./service-process.ts";
import { settleWorkspace } from "./settings-check.ts";
import { createSettingsLedger, type SettingsLedger } from "./settings-ledger.ts";
import { readQuestion, type SettingsVendor, startSettingsVendor } from "./settings-vendor.ts";
import { furnish, keepSetting } from "./settings-workload.ts";

const kills = Number(process.env.STEMMA_DURABILITY_KILLS ?? 12);
/** However little happens between two of them. */
const MOST_KILLS = 4 * kills;
const seed = Number(process.env.STEMMA_DURABILITY_SEED ?? Date.now() % 1_000_000);
const WORKSPACES = 10;
const CLIENTS_OF_EACH = 5;

const random = createRandom(seed);
const needle = `Q7z${createRandom(seed).between(10 ** 8, 2 * 10 ** 8)}x${seed}`;
const keys = createEncryptionKeys(seed, random);

let folder: string;
let host: OpenAiSimulator;
let vendor: SettingsVendor;
let ledger: SettingsLedger;
let rotations: Rotations;
let service: ServiceProcess | undefined;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), "stemma-durability-"));
	host = await startOpenAiSimulator({ behaviour: () => ({ kind: "reply", text: "The host pays." }) });
	vendor = await startSettingsVendor(() => ledger);
	ledger = createSettingsLedger(await makeWorkspaces(folder, WORKSPACES), needle);
	rotations = createRotations({ folder, keys, random, ledger });
});
afterAll(async () => {
	await service?.kill();
	rotations.kill();
	await rotations.idle();
	await Promise.all([vendor.close(), host.close()]);
	rmSync(folder, { recursive: true, force: true });
});

it(`keeps settings whole and keys sealed, killed ${kills} times`, { timeout: 300_000 }, async () => {
	onTestFailed(() =>
		console.error(`STEMMA_DURABILITY_SEED=${seed}\n${service?.complaints.slice(-20).join("\n")}`),
	);
	await furnishAll(await start());
	await service?.kill();
	for (let kill = 0; kill < kills || (kill < MOST_KILLS && listIdle().length > 0); kill++) {
		ledger.tally.droppedKeys += keys.change();
		if (random.next() < 0.15) await killWhileStarting();
		else await serveAndKill();
		expectNothingPlain();
	}
	await rotations.idle();
	await checkAll(await start());
	await service?.kill();
	for (const file of listDatabases(folder))
		expect({ file, damage: findDamage(file) }).toEqual({ file, damage: [] });
	expectWork();

	async function start(): Promise<string> {
		service = startServiceProcess(folder, host.baseUrl, keys.current);
		try {
			const { url } = await service.ready;
			ledger.tally.starts += 1;
			return url;
		} catch (error) {
			// A rotation that found no service lets none in before it has ended.
			if (!String(error).includes("data_folder_in_use")) throw error;
			await rotations.idle();
			ledger.tally.waits += 1;
			return start();
		}
	}

	/** Before it listens, or just after. */
	async function killWhileStarting(): Promise<void> {
		const starting = startServiceProcess(folder, host.baseUrl, keys.current);
		await wait(random.between(50, 600));
		await starting.kill();
		ledger.tally.cutStarts += 1;
	}

	/** Looks whether all is there, then works, and is cut off in the middle of it. */
	async function serveAndKill(): Promise<void> {
		const url = await start();
		await checkAll(url);
		const life: Life = { isOver: false };
		const rotated = rotations.keepRotating(life);
		const over = new AbortController();
		const done = countTo(random.between(0, 150));
		const working = setAll(url, over.signal, done.count);
		// On a busy machine less is done in the same time.
		const enough = [wait(random.between(50, 800)), done.reached, random.next() < 0.6 ? rotated : undefined];
		try {
			await Promise.race([Promise.all(enough), working]);
		} finally {
			life.isOver = true;
			await service?.kill();
			if (random.next() < 0.5) rotations.kill();
			over.abort();
		}
		await working;
		expect(service?.complaints).toEqual([]);
		expect(rotations.problems).toEqual([]);
		expect(vendor.mixUps).toEqual([]);
		expectHostCalledForNobodyElse();
	}
});

/** All clients at once. */
async function setAll(url: string, signal: AbortSignal, onDone: () => void): Promise<void> {
	const clients = Array.from({ length: CLIENTS_OF_EACH }, () => ledger.workspaces).flat();
	await Promise.all(
		clients.map((workspace) =>
			keepSetting({
				api: createApi(url, workspace.token),
				ledger,
				workspace,
				vendor,
				random: createRandom(random.between(0, 2 ** 31)),
				signal,
				onDone,
			}),
		),
	);
}

async function furnishAll(url: string): Promise<void> {
	for (const workspace of ledger.workspaces)
		await furnish({ api: createApi(url, workspace.token), ledger, workspace });
}

async function checkAll(url: string): Promise<void> {
	for (const workspace of ledger.workspaces)
		await settleWorkspace({ api: createApi(url, workspace.token), ledger, workspace });
}

function expectNothingPlain(): void {
	const own = keys.current.flatMap((key) => [key, Buffer.from(key, "base64")]);
	expect(findPlain(folder, [...toForms(needle), ...own])).toEqual([]);
}

/** The deployment's vendor hears of workspaces without settings alone. */
function expectHostCalledForNobodyElse(): void {
	const asked = host.requests.flatMap(({ body }) => (body === undefined ? [] : [readQuestion(body)]));
	const wrong = asked.filter((number) => ledger.questions.get(number)?.mayGoToHost !== true);
	expect(wrong, "questions of workspaces that have settings").toEqual([]);
}

/** A test in which nothing happens proves nothing. */
function expectWork(): void {
	const { tally } = ledger;
	if (process.env.STEMMA_DURABILITY_KILLS !== undefined)
		console.info(`${kills} kills, seed ${seed}: ${JSON.stringify(tally)}`);
	// What is not secret is found.
	expect(findPlain(folder, ["openai-compatible"]).length).toBe(WORKSPACES);
	expect(listIdle()).toEqual([]);
}

/** What has happened too seldom so far. On a busy machine it takes more kills. */
function listIdle(): string[] {
	const { tally } = ledger;
	const often = ["ownAnswers", "secretPuts", "reads"] as const;
	const once = ["tests", "hostAnswers", "refusals", "rotations", "resealed", "droppedKeys"] as const;
	return [
		...(tally.puts + tally.renames + tally.clears > 5 * kills ? [] : ["changes"]),
		...often.filter((name) => tally[name] <= kills),
		...once.filter((name) => tally[name] === 0),
	];
}
