import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import * as built from "@stemma/service";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toRotationFile } from "../store/sqlite/rotation-files";
import { openForReading } from "../store/sqlite-file";
import type { WorkspaceTables } from "../store/workspace-tables";
import { sendTo } from "../test-support/send-request";
import { fetchToken, toTestConfiguration } from "../test-support/test-deployment";
import { createKeyring } from "./keyring";
import { Secret } from "./secret";
import { decryptAll } from "./test-support/encrypted-workspace";

const program = fileURLToPath(new URL("../../../cli/dist/main.js", import.meta.url));

interface Key {
	readonly id: string;
	readonly value: string;
}

const createKey = (id: string): Key => ({ id, value: randomBytes(32).toString("base64") });
const [oldKey, newKey] = [createKey("old"), createKey("new")];

let folder: string;
/** What services have acknowledged. */
let stored: Record<string, string>;
beforeEach(async () => {
	stored = {};
	folder = await mkdtemp(join(tmpdir(), "stemma-rotation-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const toKeys = (keys: readonly Key[]) => keys.map(({ id, value }) => ({ id, key: { value } }));

/** A service of this process, and how its first workspace talks to it. */
async function serve(keys: readonly Key[]) {
	const configuration = toTestConfiguration(built, folder, { encryption: { keys: toKeys(keys) } });
	const service = await built.createService(configuration);
	const credentials = JSON.parse(await readFile(service.bootstrapCredentials.path, "utf8"));
	const token = await fetchToken(sendTo(service.fetch), credentials);
	const send = sendTo(service.fetch, token);
	return {
		workspaceId: credentials.workspace_id as string,
		close: () => service.close(0),
		async putSecret(name: string, value: string): Promise<void> {
			const json = { server_url: "http://127.0.0.1:9/mcp", value };
			const { status, text } = await send("PUT", `/v1/workspace/secrets/${name}`, { json });
			if (status !== 200) throw new Error(text);
			stored[name] = value;
		},
		async putSettings(value: string): Promise<void> {
			const json = {
				provider: "openai-compatible",
				base_url: "http://127.0.0.1:9/v1",
				model: "m",
				api_key: value,
			};
			const { status, text } = await send("PUT", "/v1/workspace/llm-settings", { json });
			if (status !== 200) throw new Error(text);
			stored.llm_settings = value;
		},
		readStatuses: async () => {
			const secrets = await send("GET", "/v1/workspace/secrets?limit=100");
			const { data } = secrets.body as { readonly data: readonly { readonly status: string }[] };
			const settings = await send("GET", "/v1/workspace/llm-settings");
			return [settings.body as { readonly status: string }, ...data].map(({ status }) => status);
		},
	};
}

/** `stemma keys rotate`, in a process of its own. */
function startRotation(keys: readonly Key[]): ChildProcess {
	return spawn(process.execPath, [program, "keys", "rotate", "--json", "--data", folder], {
		cwd: folder,
		env: {
			PATH: process.env.PATH,
			STEMMA_ENCRYPTION_KEY: keys.map(({ value }) => value).join(","),
		},
	});
}

async function finish(child: ChildProcess) {
	let [stdout, stderr] = ["", ""];
	child.stdout?.on("data", (chunk) => (stdout += chunk));
	child.stderr?.on("data", (chunk) => (stderr += chunk));
	const code = await new Promise((resolve) => child.on("close", resolve));
	return { code, stdout, stderr };
}

const rotate = (keys: readonly Key[]) => finish(startRotation(keys));

async function openStored(workspaceId: string, keys: readonly Key[]) {
	const keyring = createKeyring(keys.map(({ id, value }) => ({ id, key: new Secret(value) })));
	const path = join(folder, "workspaces", `${workspaceId}.sqlite`);
	const { read: queries, close } = toRotationFile<WorkspaceTables>(openForReading(path), path);
	const values = await decryptAll(queries, workspaceId, keyring);
	close();
	return values;
}

describe.runIf(existsSync(program))("stemma keys rotate", () => {
	/** The first ones are changed all the time, the others by the rotation alone. */
	const NAMES = Array.from({ length: 70 }, (_, number) => `secret-${number}`);
	const CHANGED_NAMES = NAMES.slice(0, 10);
	const UNCHANGED_NAMES = NAMES.slice(10);
	const KILLS = 3;
	const ALL_OK = ["llm_settings", ...NAMES].map(() => "ok");

	const countReencrypted = async (workspaceId: string): Promise<number> => {
		const values = await openStored(workspaceId, [newKey]);
		return UNCHANGED_NAMES.filter((name) => values[name] !== undefined).length;
	};

	it("beside a service that changes all it can, and killed again and again, loses nothing", async () => {
		const before = await serve([oldKey]);
		for (const name of NAMES) await before.putSecret(name, `${name} at first`);
		await before.putSettings("key-at-first");
		expect(await rotate([newKey, oldKey])).toMatchObject({
			code: 1,
			stdout: "",
			stderr: expect.stringMatching(/does not have the key[\s\S]*Restart the service/),
		});
		await before.close();

		const service = await serve([newKey, oldKey]);
		let isFinished = false;
		const writing = (async () => {
			for (let round = 0; !isFinished; round++) {
				const name = CHANGED_NAMES[round % CHANGED_NAMES.length] ?? "";
				await service.putSecret(name, `${name} of round ${round}`);
				if (round % 5 === 0) await service.putSettings(`key-of-round-${round}`);
				await wait(1);
			}
		})();
		let killed = 0;
		for (let kill = 0; kill < KILLS; kill++) {
			const before = await countReencrypted(service.workspaceId);
			const child = startRotation([newKey, oldKey]);
			const ended = finish(child);
			while (child.exitCode === null && (await countReencrypted(service.workspaceId)) < before + 5)
				await wait(2);
			child.kill("SIGKILL");
			if ((await ended).code === null) killed += 1;
			expect(Object.values(await openStored(service.workspaceId, [newKey, oldKey]))).not.toContain(undefined);
		}
		// A very fast disk may let one of them through.
		expect(killed).toBeGreaterThan(0);
		const last = await rotate([newKey, oldKey]);
		isFinished = true;
		await writing;
		expect(last).toMatchObject({ code: 0, stderr: "" });
		const { resealed, already_current, undecryptable } = JSON.parse(last.stdout);
		expect({ total: resealed + already_current, undecryptable }).toEqual({
			total: NAMES.length + 1,
			undecryptable: [],
		});
		expect(await service.readStatuses()).toEqual(ALL_OK);
		await service.close();

		// The old key can go.
		expect(await openStored(service.workspaceId, [newKey])).toEqual(stored);
		const after = await serve([newKey]);
		expect(await after.readStatuses()).toEqual(ALL_OK);
		await after.close();
	});

	it("says which workspaces have something that no key opens, and ends with 1", async () => {
		const service = await serve([createKey("lost")]);
		await service.putSecret("a", "value");
		await service.close();
		const { code, stdout, stderr } = await rotate([newKey]);
		expect(code).toBe(1);
		expect(JSON.parse(stdout)).toEqual({
			resealed: 0,
			already_current: 0,
			undecryptable: [{ workspace_id: service.workspaceId, values: 1 }],
			failed: [],
		});
		expect(stderr).toContain(`failed: ${service.workspaceId}: no key opens 1 credential\n`);
	});

	it("says which workspaces have a file that cannot be used, and ends with 1", async () => {
		const service = await serve([oldKey]);
		await service.close();
		await rm(join(folder, "workspaces", `${service.workspaceId}.sqlite`));
		const { code, stdout, stderr } = await rotate([newKey, oldKey]);
		expect(code).toBe(1);
		expect(JSON.parse(stdout)).toMatchObject({
			resealed: 0,
			failed: [{ workspace_id: service.workspaceId, code: "storage_missing" }],
		});
		expect(stderr).toContain(`failed: ${service.workspaceId}: `);
	});
});

describe.runIf(existsSync(program))("stemma keys generate", () => {
	it("prints a key that a service takes, and what to do with it", async () => {
		const run = () => finish(spawn(process.execPath, [program, "keys", "generate"], { cwd: folder }));
		const [first, second] = await Promise.all([run(), run()]);
		expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[\w+/]{43}=\n$/) });
		expect(first.stderr).toMatch(/STEMMA_ENCRYPTION_KEY[\s\S]*encryption\.keys/);
		expect(second.stdout).not.toBe(first.stdout);
		const service = await serve([{ id: "generated", value: first.stdout.trim() }]);
		await service.putSecret("a", "value");
		await service.close();
	});
});
