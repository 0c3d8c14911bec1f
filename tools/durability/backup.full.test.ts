import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { findPostgres } from "@stemma/simulators/postgres/postgres-server";
import { afterEach, beforeEach, expect, it, onTestFailed } from "vitest";
import { type Acknowledged, checkRestored, copyAcknowledged } from "./backup/acknowledged.ts";
import { hasPostgres, type InstancesDatabase, startDatabase } from "./instances/database.ts";
import { createLatch } from "./latch.ts";
import { createRandom } from "./random.ts";
import { type Credentials, createApi, fetchToken } from "./service/api.ts";
import type { CheckContext } from "./service/check.ts";
import { findDamage, listDatabases, waitUntilReady } from "./service/check-content.ts";
import { createLedger, type Ledger } from "./service/ledger.ts";
import {
	type ServiceProcess,
	type ServiceProcessOptions,
	startServiceProcess,
} from "./service/service-process.ts";
import { createTestData, type TestData } from "./service/test-data.ts";
import { runWorkload } from "./service/workload.ts";

const run = promisify(execFile);
const cli = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url));
const onPostgres = fileURLToPath(new URL("instances/serve.mjs", import.meta.url));

const seed = Number(process.env.STEMMA_DURABILITY_SEED ?? process.env.STEMMA_SEED ?? 1);
const CLIENTS = 50;
/** Things that are done before the backup begins, and while it is made or after it. */
const DONE_BEFORE = 400;
const DONE_AFTER = 100;

let folder: string;
let vendor: OpenAiSimulator;
let database: InstancesDatabase | undefined;
let service: ServiceProcess | undefined;

beforeEach(async () => {
	folder = mkdtempSync(join(tmpdir(), "stemma-backup-"));
	vendor = await startOpenAiSimulator({
		behaviour: () => ({ kind: "reply", text: "It opens at nine, as it always did.", pauseMs: 15 }),
	});
	onTestFailed(() => console.error(`STEMMA_DURABILITY_SEED=${seed}\n${service?.errorOutput.join("\n")}`));
});
afterEach(async () => {
	await service?.kill();
	await database?.stop();
	await vendor.close();
	rmSync(folder, { recursive: true, force: true });
});

it("a backup of a data folder holds what was acknowledged before it", { timeout: 600_000 }, async () => {
	const file = join(folder, "backup.tar.gz");
	const restored = join(folder, "restored");
	const served = await backUpUnderLoad(join(folder, "data"), {}, () =>
		run(process.execPath, [cli, "backup", file, "--data", join(folder, "data")]),
	);
	await run(process.execPath, [cli, "restore", file, "--into", restored]);
	await checkCopy(served, restored, {});
	await service?.kill();
	for (const path of listDatabases(restored))
		expect({ path, damage: findDamage(path) }).toEqual({ path, damage: [] });
});

it.skipIf(!hasPostgres)(
	"a backup of a database holds what was acknowledged before it",
	{ timeout: 600_000 },
	async () => {
		database = await startDatabase();
		const { environment, createEmpty } = database;
		const file = join(folder, "backup.tar");
		const runCli = (command: readonly string[], variables: Readonly<Record<string, string>>) =>
			run(process.execPath, [cli, ...command], {
				cwd: folder,
				env: { ...process.env, POSTGRES_BIN: findPostgres(), ...variables },
			});
		const served = await backUpUnderLoad(join(folder, "data"), { program: onPostgres, environment }, () =>
			runCli(["backup", file], environment),
		);
		const restored = createEmpty("restored");
		await runCli(["restore", file], restored);
		await checkCopy(served, join(folder, "restored"), { program: onPostgres, environment: restored });
	},
);

/** What was served, and what of it a backup must hold. */
interface Served {
	readonly testData: TestData;
	readonly acknowledged: Acknowledged;
	readonly ledger: Ledger;
}

/** Serves 50 clients that write, and backs up in the middle of it. */
async function backUpUnderLoad(
	data: string,
	options: ServiceProcessOptions,
	backUp: () => Promise<unknown>,
): Promise<Served> {
	service = startServiceProcess(data, vendor.baseUrl, [], options);
	const { url, credentials } = await service.ready;
	const token = await fetchToken(url, JSON.parse(readFileSync(credentials, "utf8")) as Credentials);
	const api = createApi(url, token);
	const testData = { token, ...(await createTestData(api)) };
	const [random, ledger, ended] = [createRandom(seed), createLedger(), new AbortController()];
	const [before, after] = [createLatch(DONE_BEFORE), createLatch(DONE_BEFORE + DONE_AFTER)];
	const working = Promise.all(
		Array.from({ length: CLIENTS }, (_, worker) =>
			runWorkload({
				...{ ...testData, api, ledger, worker, signal: ended.signal },
				random: createRandom(random.between(0, 2 ** 31)),
				onDone() {
					before.count();
					after.count();
				},
			}),
		),
	);
	await Promise.race([before.done, working]);
	const acknowledged = copyAcknowledged(ledger);
	await backUp();
	await Promise.race([after.done, working]);
	ended.abort();
	await working;
	await service.kill();
	return { testData, acknowledged, ledger };
}

/** Serves the copy, and looks whether all is there. */
async function checkCopy(
	{ testData, acknowledged, ledger }: Served,
	data: string,
	options: ServiceProcessOptions,
): Promise<void> {
	expect(acknowledged.sources.size).toBeGreaterThan(CLIENTS);
	expect(acknowledged.runs.length).toBeGreaterThan(0);
	expect(acknowledged.creations.length).toBeGreaterThan(0);
	service = startServiceProcess(data, vendor.baseUrl, [], options);
	const { url } = await service.ready;
	const context: CheckContext = {
		url,
		api: createApi(url, testData.token),
		knowledgeBase: testData.knowledgeBase,
	};
	await waitUntilReady(context);
	await checkRestored(context, acknowledged, ledger);
}
