import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { afterAll, beforeAll, expect, it, onTestFailed } from "vitest";
import { createWorkspaces } from "./create-workspaces.ts";
import { createLatch } from "./latch.ts";
import { createRandom } from "./random.ts";
import { createEncryptionKeys } from "./rotation/encryption-keys.ts";
import { encodedVariants, findPlaintext } from "./rotation/find-plaintext.ts";
import { createRotations, type Rotations, type ServiceLifetime } from "./rotation/rotations.ts";
import { createApi } from "./service/api.ts";
import { findDamage, listDatabases } from "./service/check-content.ts";
import { type ServiceProcess, startServiceProcess } from "./service/service-process.ts";
import { checkSettledWorkspace } from "./settings/check.ts";
import { createSettingsLedger, type SettingsLedger } from "./settings/ledger.ts";
import { readQuestion, type SettingsVendor, startSettingsVendor } from "./settings/vendor.ts";
import { createStableSecrets, runSettingsWorkload } from "./settings/workload.ts";

const kills = Number(process.env.STEMMA_DURABILITY_KILLS ?? 5);
/** However little happens between two of them. */
const MAX_KILLS = 4 * kills;
const seed = Number(process.env.STEMMA_DURABILITY_SEED ?? process.env.STEMMA_SEED ?? 1);
const WORKSPACES = 10;
const CLIENTS_PER_WORKSPACE = 5;

const random = createRandom(seed);
const marker = `Q7z${createRandom(seed).between(10 ** 8, 2 * 10 ** 8)}x${seed}`;
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
	ledger = createSettingsLedger(await createWorkspaces(folder, WORKSPACES), marker);
	rotations = createRotations({ folder, keys, random, ledger });
});
afterAll(async () => {
	await service?.kill();
	rotations.kill();
	await rotations.whenIdle();
	await Promise.all([vendor.close(), host.close()]);
	rmSync(folder, { recursive: true, force: true });
});

it(`keeps settings whole and keys sealed, killed ${kills} times`, { timeout: 900_000 }, async () => {
	onTestFailed(() =>
		console.error(`STEMMA_DURABILITY_SEED=${seed}\n${service?.errorOutput.slice(-20).join("\n")}`),
	);
	await createAllStableSecrets(await start());
	await service?.kill();
	for (let kill = 0; kill < kills || (kill < MAX_KILLS && listIdle().length > 0); kill++) {
		ledger.tally.droppedKeys += keys.change();
		// What has not happened by then has to: a rotation is always waited for.
		const isExtra = kill >= kills;
		if (random.next() < 0.15 && !isExtra) await killWhileStarting();
		else await serveAndKill(isExtra || random.next() < 0.6);
		expectNoPlaintext();
	}
	await rotations.whenIdle();
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
			await rotations.whenIdle();
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
	async function serveAndKill(waitsForRotation: boolean): Promise<void> {
		const url = await start();
		await checkAll(url);
		const life: ServiceLifetime = { isOver: false };
		const rotated = rotations.startRotating(life);
		const ended = new AbortController();
		const done = createLatch(random.between(0, 150));
		const working = setAll(url, ended.signal, done.count);
		// On a busy machine less is done in the same time.
		const enough = [wait(random.between(50, 800)), done.done, waitsForRotation && rotated];
		try {
			await Promise.race([Promise.all(enough), working]);
		} finally {
			life.isOver = true;
			await service?.kill();
			if (random.next() < 0.5) rotations.kill();
			ended.abort();
		}
		await working;
		expect(service?.errorOutput).toEqual([]);
		expect(rotations.problems).toEqual([]);
		expect(vendor.mismatches).toEqual([]);
		expectHostCalledOnlyWhenAllowed();
	}
});

/** All clients at once. */
async function setAll(url: string, signal: AbortSignal, onDone: () => void): Promise<void> {
	const clients = Array.from({ length: CLIENTS_PER_WORKSPACE }, () => ledger.workspaces).flat();
	await Promise.all(
		clients.map((workspace) =>
			runSettingsWorkload({
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

async function createAllStableSecrets(url: string): Promise<void> {
	for (const workspace of ledger.workspaces)
		await createStableSecrets({ api: createApi(url, workspace.token), ledger, workspace });
}

async function checkAll(url: string): Promise<void> {
	for (const workspace of ledger.workspaces)
		await checkSettledWorkspace({ api: createApi(url, workspace.token), ledger, workspace });
}

function expectNoPlaintext(): void {
	const own = keys.current.flatMap((key) => [key, Buffer.from(key, "base64")]);
	expect(findPlaintext(folder, [...encodedVariants(marker), ...own])).toEqual([]);
}

/** The deployment's vendor hears of workspaces without settings alone. */
function expectHostCalledOnlyWhenAllowed(): void {
	const questions = host.requests.flatMap(({ body }) => (body === undefined ? [] : [readQuestion(body)]));
	const wrong = questions.filter((number) => ledger.questions.get(number)?.mayUseDeployment !== true);
	expect(wrong, "questions of workspaces that have settings").toEqual([]);
}

/** A test in which nothing happens proves nothing. */
function expectWork(): void {
	const { tally } = ledger;
	if (process.env.STEMMA_DURABILITY_KILLS !== undefined)
		console.info(`${kills} kills, seed ${seed}: ${JSON.stringify(tally)}`);
	// What is not secret is found.
	expect(findPlaintext(folder, ["openai-compatible"]).length).toBe(WORKSPACES);
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
