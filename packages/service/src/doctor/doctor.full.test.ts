import { spawnSync } from "node:child_process";
import {
	chmodSync,
	closeSync,
	copyFileSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
	writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import * as built from "@stemma/service";
import { afterEach, beforeEach, expect, it } from "vitest";
import { sendTo } from "../test-support/send-request";
import { getBody } from "../test-support/tenant";
import { fetchToken, TEST_ENCRYPTION, toTestConfiguration } from "../test-support/test-deployment";

const program = fileURLToPath(new URL("../../../cli/dist/main.js", import.meta.url));

let folder: string;
let ids: readonly string[];
let service: built.Service | undefined;

const OTHER_KEY = { keys: [{ id: "other", key: { value: Buffer.alloc(32, 9).toString("base64") } }] };
const configure = (encryption?: typeof OTHER_KEY) =>
	toTestConfiguration(built, folder, {
		limits: { disk_reserve_bytes: 0 },
		outbound: { allow: ["127.0.0.1"] },
		...(encryption && { encryption }),
	});

beforeEach(async () => {
	folder = mkdtempSync(join(tmpdir(), "stemma-doctor-"));
	service = await built.createService(configure(TEST_ENCRYPTION));
	const tenants = [await service.createWorkspace("first"), await service.createWorkspace("second")];
	ids = tenants.map(({ workspace_id }) => workspace_id);
	for (const tenant of tenants) {
		const send = sendTo(service.fetch, await fetchToken(sendTo(service.fetch), tenant));
		for (let number = 0; number < 20; number++)
			await getBody(send("POST", "/v1/knowledge-bases", { json: { name: `base ${number}` } }));
		const secret = { server_url: "http://127.0.0.1:9/mcp", value: "a secret value" };
		await getBody(send("PUT", "/v1/workspace/secrets/orders", { json: secret }));
	}
	rmSync(join(folder, "first-credentials.json"));
});
afterEach(async () => {
	await stop();
	rmSync(folder, { recursive: true, force: true });
});

async function stop(): Promise<void> {
	await service?.close(0);
	service = undefined;
}

const getFilePath = (index: number): string => join(folder, "workspaces", `${ids[index]}.sqlite`);

const check = (encryption?: typeof OTHER_KEY) => built.checkDataFolder(configure(encryption));

const findProblems = async (encryption?: typeof OTHER_KEY) =>
	(await check(encryption)).problems.map(({ severity, code }) => `${severity} ${code}`);

it("finds nothing in a sound folder, while a service runs and when none does, and changes nothing", async () => {
	expect(await check(TEST_ENCRYPTION)).toMatchObject({ isServed: true, problems: [] });
	expect((await check(TEST_ENCRYPTION)).files).toHaveLength(4);
	await stop();
	const before = readdirSync(folder, { recursive: true }).sort();
	expect(await check(TEST_ENCRYPTION)).toMatchObject({ isServed: false, problems: [] });
	expect(readdirSync(folder, { recursive: true }).sort()).toEqual(before);
});

const DAMAGES: Readonly<Record<string, readonly [code: string, damage: (file: string) => void]>> = {
	"other bytes": ["storage_corrupt", (file) => writeFileSync(file, "This is no database. ".repeat(1000))],
	truncation: [
		"storage_corrupt",
		(file) => truncateSync(file, Math.floor(statSync(file).size / 8192) * 4096),
	],
	"zeros in the middle": [
		"storage_corrupt",
		(file) => {
			const handle = openSync(file, "r+");
			writeSync(handle, Buffer.alloc(statSync(file).size - 8 * 4096), 0, undefined, 8 * 4096);
			closeSync(handle);
		},
	],
	"an empty file": ["storage_missing", (file) => truncateSync(file, 0)],
	"no file": ["storage_missing", (file) => rmSync(file)],
	"a folder": [
		"storage_unavailable",
		(file) => {
			rmSync(file);
			mkdirSync(file, { mode: 0o700 });
		},
	],
	"a link": [
		"storage_unsafe",
		(file) => {
			rmSync(file);
			symlinkSync("/dev/null", file);
		},
	],
	"the file of another workspace": ["storage_mismatch", (file) => copyFileSync(getFilePath(1), file)],
	"a later version": [
		"storage_version",
		(file) => {
			const database = new DatabaseSync(file);
			database.exec("PRAGMA user_version = 999");
			database.close();
		},
	],
};

it.each(Object.keys(DAMAGES))("finds damage of a workspace, and says what to do: %s", async (name) => {
	const [code, damage] = DAMAGES[name] ?? ["", () => undefined];
	await stop();
	damage(getFilePath(0));
	const { files, problems } = await check();
	expect(problems.filter(({ severity }) => severity === "error")).toMatchObject([
		{ code, hint: expect.stringMatching(/\w/) },
	]);
	expect(files.filter(({ isSound }) => !isSound)).toMatchObject([{ workspaceId: ids[0], name: "first" }]);
});

it("finds a damaged deployment, and one that is lost", async () => {
	await stop();
	const deployment = join(folder, "deployment.sqlite");
	writeFileSync(deployment, "This is no database. ".repeat(1000));
	expect(await findProblems()).toEqual(["error storage_corrupt"]);
	rmSync(deployment);
	expect(await findProblems()).toEqual(["error storage_missing"]);
});

it("finds files that no workspace has, leftovers, open files, a full disk and encrypted values that no key opens", async () => {
	await stop();
	copyFileSync(getFilePath(0), join(folder, "workspaces", "ws_00000000000000000000000000.sqlite"));
	chmodSync(getFilePath(1), 0o644);
	writeFileSync(join(folder, "first-credentials.json"), "{}", { mode: 0o600 });
	expect((await findProblems(OTHER_KEY)).sort()).toEqual([
		"warning credential_undecryptable",
		"warning credential_undecryptable",
		"warning data_folder_open",
		"warning first_credentials_left",
		"warning workspace_files_unknown",
	]);
	const configuration = configure();
	const limits = { ...configuration.limits, diskReserveBytes: Number.MAX_SAFE_INTEGER };
	const { problems } = await built.checkDataFolder({ ...configuration, limits });
	expect(problems.map(({ code }) => code)).toContain("storage_low");
});

it("is a command that tells all, and ends with 1 where there are errors", async () => {
	const run = (...options: readonly string[]) =>
		spawnSync(process.execPath, [program, "doctor", "--data", folder, ...options], {
			encoding: "utf8",
			cwd: folder,
			// Whatever listens on the usual one.
			env: { ...process.env, STEMMA_LISTEN_PORT: "0" },
		});
	const soundReport = run();
	expect({ status: soundReport.status, stderr: soundReport.stderr }).toEqual({ status: 0, stderr: "" });
	expect(soundReport.stdout).toMatch(
		/a service runs on it[\s\S]*second +\S+ \w+ +sound[\s\S]*No problems\.\n$/,
	);
	await stop();
	rmSync(getFilePath(0));
	const damageFile = run("--quick");
	expect(damageFile.status).toBe(1);
	expect(damageFile.stdout).toMatch(
		/NOT USABLE[\s\S]*error:.*missing.*\n.*backup[\s\S]*1 error, 0 warnings\.\n$/,
	);
	const json = run("--json");
	expect(json.status).toBe(1);
	expect(JSON.parse(json.stdout)).toMatchObject({
		is_served: false,
		problems: [{ severity: "error", code: "storage_missing", workspace_id: ids[0] }],
	});
	const none = spawnSync(process.execPath, [program, "doctor", "--data", join(folder, "none")], {
		encoding: "utf8",
	});
	expect(none.status).toBe(1);
	expect(none.stderr).toMatch(/not the data folder/);
	expect(readFileSync(getFilePath(1)).length).toBeGreaterThan(0);
});
