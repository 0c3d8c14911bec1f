import { beforeEach, expect, it } from "vitest";
import { createKeyring } from "../encryption/keyring";
import { reencryptWorkspace } from "../encryption/re-encrypt";
import {
	createEncryptionKey,
	decryptAll,
	openWorkspaceDatabase,
} from "../encryption/test-support/encrypted-workspace";
import { countCiphertexts, deleteUndecryptable } from "../encryption/verify-ciphertexts";
import { decryptPushSecrets, encryptPushSecrets } from "./push-secrets";
import type { StoredPushConfig } from "./repositories/push-config-repository";

const [oldKey, newKey] = [createEncryptionKey("old"), createEncryptionKey("new")];
const before = createKeyring([oldKey]);
const both = createKeyring([newKey, oldKey]);
const after = createKeyring([newKey]);
const redactor = { add: () => undefined };
const URL = "https://receiver.example/news";

let workspace: ReturnType<typeof openWorkspaceDatabase>;
beforeEach(async () => {
	workspace = openWorkspaceDatabase("ws_1");
	const { file } = workspace.database;
	for (const run of ["run_1", "run_2"]) {
		file
			.prepare("INSERT INTO runs VALUES (?, 'ag_1', 'desk', 1, 'running', 0, 'cl_1', 1, 2, 3, NULL, NULL)")
			.run(run);
		file.prepare("INSERT INTO a2a_tasks VALUES (?, 'ag_1', 'cl_1', 'context', ?, '{}', 1)").run(run, run);
	}
	// The same id for two tasks, and one without secrets.
	for (const [run, id, token] of [
		["run_1", "push", "first"],
		["run_2", "push", "second"],
		["run_2", "open", undefined],
	] as const)
		await put(run, id, token);
});

async function put(run_id: string, id: string, token: string | undefined): Promise<void> {
	const target = { run_id, id, url: URL };
	const secrets = encryptPushSecrets({ url: URL, ...(token !== undefined && { token }) }, target, {
		workspaceId: "ws_1",
		keyring: before,
		redactor,
	});
	await workspace.store.pushConfigs.replace(target, () => ({
		...target,
		...{ scheme: null, set_by: "cl_1", visibility: "receipt", is_finished: false },
		secrets,
		delivered_seq: 0,
		created_at: 1,
	}));
}

async function readConfigs(): Promise<readonly StoredPushConfig[]> {
	const { list } = workspace.store.pushConfigs;
	return [...(await list("run_1")), ...(await list("run_2"))];
}

const readTokens = async (keyring: typeof before, workspaceId = "ws_1", more: object = {}) =>
	(await readConfigs()).map(
		(row) => decryptPushSecrets({ ...row, ...more }, { workspaceId, keyring, redactor })?.token,
	);

it("secrets of receivers open for their own workspace, task, configuration and address alone", async () => {
	expect((await readTokens(before)).sort()).toEqual(["first", "second", undefined]);
	for (const more of [{ run_id: "run_3" }, { id: "other" }, { url: `${URL}/` }])
		expect(await readTokens(before, "ws_1", more)).toEqual([undefined, undefined, undefined]);
	expect(await readTokens(before, "ws_2")).toEqual([undefined, undefined, undefined]);
});

it("they are sealed with the new key when keys are exchanged", async () => {
	const outcome = await reencryptWorkspace(workspace.store, { workspaceId: "ws_1", keyring: both });
	expect(outcome).toEqual({ reencrypted: 2, alreadyCurrent: 0, undecryptable: 0 });
	expect((await readTokens(after)).sort()).toEqual(["first", "second", undefined]);
	expect(Object.values(await decryptAll(workspace.database.read, "ws_1", after))).toEqual([
		'{"token":"second"}',
	]);
});

it("where no key opens them, their configurations are abandoned, and the others stay", async () => {
	expect(await countCiphertexts([workspace], after)).toEqual({ withCiphertexts: 1, undecryptable: 1 });
	expect(await deleteUndecryptable([workspace], after)).toEqual({ workspaces: 1, credentials: 2 });
	expect((await readConfigs()).map(({ id }) => id)).toEqual(["open"]);
	expect(await workspace.store.ciphertexts.list("ws_1")).toEqual([]);
	const [audited] = await workspace.database.read.selectFrom("audit").selectAll().execute();
	expect(JSON.parse(audited?.details ?? "")).toMatchObject({ push_configs: 2 });
});
