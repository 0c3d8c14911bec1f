import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isStemmaError } from "@stemma/core/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lockDataFolder } from "../store/data-folder/data-folder-lock";
import { type DeploymentTables, deploymentMigrations } from "../store/deployment-tables";
import { createDeploymentStore } from "../store/repositories/deployment/deployment-store";
import { openDeploymentFile, openWorkspaceFile, toRotationFile } from "../store/sqlite/rotation-files";
import { openForWriting } from "../store/sqlite-file";
import { workspaceMigrations } from "../store/workspace-tables";
import type { EncryptionKey } from "./encryption-keys";
import { createKeyring, type Keyring } from "./keyring";
import { rotateKeys } from "./rotate-keys";
import { createEncryptionKey, decryptAll, putSecret, putSettings } from "./test-support/encrypted-workspace";

const [oldKey, newKey, lostKey] = [
	createEncryptionKey("old"),
	createEncryptionKey("new"),
	createEncryptionKey("lost"),
];
const before = createKeyring([oldKey]);
const after = createKeyring([newKey]);
const IDS = ["ws_1", "ws_2", "ws_3"];

let root: string;
let data: string;
beforeAll(async () => {
	root = mkdtempSync(join(tmpdir(), "stemma-rotate-"));
	data = join(root, "template");
	mkdirSync(join(data, "workspaces"), { recursive: true });
	const deployment = openForWriting(join(data, "deployment.sqlite"), deploymentMigrations);
	for (const id of IDS) {
		deployment.execute("INSERT INTO workspaces (id, name, created_at) VALUES (?, ?, ?)", [id, id, 1]);
		openForWriting(join(data, "workspaces", `${id}.sqlite`), workspaceMigrations).close();
		await store(id, before);
	}
	deployment.close();
});
afterAll(() => rmSync(root, { recursive: true }));

beforeEach(() => {
	data = mkdtempSync(join(root, "data-"));
	cpSync(join(root, "template"), data, { recursive: true });
});

async function store(id: string, keyring: Keyring): Promise<void> {
	const { write: queries, close } = openWorkspaceFile(data, id);
	await putSettings(queries, id, { keyring, apiKey: `key of ${id}` });
	await putSecret(queries, id, { keyring, name: "a", value: `secret of ${id}` });
	close();
}

async function read(id: string, keyring: Keyring) {
	const { write: queries, close } = openWorkspaceFile(data, id);
	const values = await decryptAll(queries, id, keyring);
	close();
	return values;
}

const rotate = (keys: readonly EncryptionKey[], options = {}) =>
	rotateKeys({ data, encryption: { keys } }, options);

async function getError(keys: readonly EncryptionKey[]) {
	const error = await rotate(keys).catch((thrown: unknown) => thrown);
	if (!isStemmaError(error)) throw new Error("It was not refused.", { cause: error });
	return { name: error.name, code: error.code, text: `${error.message} ${error.hint}` };
}

/** As a service that runs: it holds the lock, and has announced its keys. */
async function runService(keys: readonly EncryptionKey[]) {
	const lock = lockDataFolder(data);
	const path = join(data, "deployment.sqlite");
	const file = toRotationFile<DeploymentTables>(openForWriting(path, deploymentMigrations), path);
	const { encryptionKeys } = createDeploymentStore(file);
	await encryptionKeys.replaceAll(createKeyring(keys).fingerprints);
	return () => {
		file.close();
		lock.release();
	};
}

describe("a rotation", () => {
	it("encrypts everything of all workspaces with the first key, and the second time nothing", async () => {
		const progress: unknown[] = [];
		const onProgress = (...step: unknown[]) => void progress.push(step);
		expect(await rotate([newKey, oldKey], { onProgress })).toEqual({
			reencrypted: 6,
			alreadyCurrent: 0,
			undecryptable: [],
			failed: [],
		});
		expect(progress).toEqual(IDS.map((id, index) => [index + 1, 3, id]));
		for (const id of IDS)
			expect(await read(id, after)).toEqual({ llm_settings: `key of ${id}`, a: `secret of ${id}` });
		expect(await rotate([newKey])).toMatchObject({ reencrypted: 0, alreadyCurrent: 6, undecryptable: [] });
	});

	it("names the workspaces with values that no key opens, and leaves them as they are", async () => {
		await store("ws_2", createKeyring([lostKey]));
		expect(await rotate([newKey, oldKey])).toEqual({
			reencrypted: 4,
			alreadyCurrent: 0,
			undecryptable: [{ workspaceId: "ws_2", values: 2 }],
			failed: [],
		});
		expect(await read("ws_2", createKeyring([lostKey]))).toMatchObject({ a: "secret of ws_2" });
		expect(await rotate([newKey, lostKey])).toMatchObject({ reencrypted: 2, undecryptable: [] });
	});

	it("goes on beside a service that encrypts with the same key", async () => {
		const stop = await runService([newKey, oldKey]);
		expect(await rotate([newKey, oldKey])).toMatchObject({ reencrypted: 6 });
		stop();
	});

	it.each([
		["lacks the key", [oldKey], /does not have the key "new"/],
		["has no keys", [], /does not have the key "new"/],
		["has another key of that name", [createEncryptionKey("new"), oldKey], /does not have the key "new"/],
		["still seals with another one", [oldKey, newKey], /holds the key "new", and encrypts with another one/],
	])("is refused, and changes nothing, while a service runs that %s", async (_, keys, message) => {
		const stop = await runService(keys);
		const refusal = await getError([newKey, oldKey]);
		stop();
		expect(refusal).toMatchObject({ name: "ConfigurationError", code: "service_lacks_key" });
		expect(refusal.text).toMatch(message);
		expect(refusal.text).toContain("Restart the service with the new configuration first");
		for (const id of IDS) expect(await read(id, before)).toMatchObject({ a: `secret of ${id}` });
		// Once it has stopped, there is nobody who could not open what is encrypted.
		expect(await rotate([newKey, oldKey])).toMatchObject({ reencrypted: 6 });
	});

	it("keeps services from starting while none runs, and no longer", async () => {
		const registered: unknown[] = [];
		const onProgress = (): void => {
			try {
				lockDataFolder(data).release();
			} catch (error) {
				registered.push(error);
			}
		};
		await rotate([newKey, oldKey], { onProgress });
		expect(registered).toEqual(IDS.map(() => expect.objectContaining({ code: "data_folder_in_use" })));
		lockDataFolder(data).release();
		await getError([]);
		lockDataFolder(data).release();
	});

	it("stops when it is told to, and lets go of everything", async () => {
		const stop = new AbortController();
		const stopping = rotate([newKey, oldKey], { signal: stop.signal, onProgress: () => stop.abort() });
		await expect(stopping).rejects.toThrow("aborted");
		lockDataFolder(data).release();
		expect(await rotate([newKey, oldKey])).toMatchObject({
			reencrypted: 4,
			alreadyCurrent: 2,
			undecryptable: [],
		});
	});
});

describe("a rotation is refused", () => {
	it("without a key", async () => {
		const refusal = await getError([]);
		expect(refusal).toMatchObject({ name: "ConfigurationError", code: "encryption_key_missing" });
		expect(refusal.text).toMatch(/"encryption\.keys" or STEMMA_ENCRYPTION_KEY.*stemma keys generate/);
	});

	it("for a folder that is none of a service, without making one of it", async () => {
		data = join(data, "workspaces");
		expect((await getError([newKey])).text).toMatch(/is not the data folder.*--data/);
		expect(() => openDeploymentFile(data)).toThrow("is not the data folder");
		data = join(data, "..");
	});

	it("where the deployment's file is of another version, without changing it", async () => {
		for (const [version, hint] of OTHER_VERSIONS) {
			setVersion("deployment.sqlite", version);
			const refusal = await getError([newKey, oldKey]);
			expect(refusal).toMatchObject({ code: "storage_version", text: expect.stringMatching(hint) });
		}
	});
});

const OTHER_VERSIONS = [
	[0, /Start the service of this version once/],
	[99, /Run the command with the version/],
] as const;

function setVersion(name: string, version: number): void {
	const file = new DatabaseSync(join(data, name));
	file.exec(`PRAGMA user_version = ${version}`);
	file.close();
}

describe("a workspace whose file cannot be used keeps no other one from being encrypted anew", () => {
	const rotateOtherFiles = async () => {
		const rotation = await rotate([newKey, oldKey]);
		expect(rotation).toMatchObject({ reencrypted: 4, failed: [{ workspaceId: "ws_2" }] });
		for (const id of ["ws_1", "ws_3"]) expect(await read(id, after)).toMatchObject({ a: `secret of ${id}` });
		return rotation.failed[0]?.error;
	};

	it("where it is missing", async () => {
		rmSync(join(data, "workspaces", "ws_2.sqlite"));
		expect(await rotateOtherFiles()).toMatchObject({ code: "storage_missing" });
	});

	it("where it is damaged", async () => {
		writeFileSync(join(data, "workspaces", "ws_2.sqlite"), "no database ".repeat(1000));
		expect(await rotateOtherFiles()).toMatchObject({ code: "storage_corrupt" });
	});

	it.each(OTHER_VERSIONS)("where it is of version %s", async (version, hint) => {
		setVersion("workspaces/ws_2.sqlite", version);
		expect(await rotateOtherFiles()).toMatchObject({
			code: "storage_version",
			hint: expect.stringMatching(hint),
		});
	});
});
