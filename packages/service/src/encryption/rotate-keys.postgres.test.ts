import { beforeEach, expect, it } from "vitest";
import { createId } from "../create-id";
import { lockExclusively } from "../store/postgres/instances/instance-lock";
import { openInstanceSession } from "../store/postgres/instances/instance-session";
import { createPostgresDatabase, createPostgresDeployment } from "../store/postgres/postgres-database";
import { describeOnPostgres } from "../store/postgres/test-support/describe-on-postgres";
import { APPLICATION } from "../store/postgres/test-support/test-server";
import type { EncryptionKey } from "./encryption-keys";
import { createKeyring } from "./keyring";
import { rotateKeys } from "./rotate-keys";
import { Secret } from "./secret";
import { createEncryptionKey, decryptAll, putSecret, putSettings } from "./test-support/encrypted-workspace";

const [oldKey, newKey] = [createEncryptionKey("old"), createEncryptionKey("new")];
const IDS = ["ws_1", "ws_2"];

describeOnPostgres("a rotation of encryption keys", (database) => {
	const rotate = (keys: readonly EncryptionKey[]) =>
		rotateKeys({
			data: "/nonexistent",
			database: { url: new Secret(database.toUrl(APPLICATION)), poolSize: 2 },
			encryption: { keys },
		});
	const read = (id: string, key: EncryptionKey) =>
		decryptAll(createPostgresDatabase(database.pool, id).read, id, createKeyring([key]));
	const encrypted = (id: string) => ({ llm_settings: `key of ${id}`, a: `secret of ${id}` });

	beforeEach(async () => {
		const { write } = createPostgresDeployment(database.pool);
		const keyring = createKeyring([oldKey]);
		for (const id of IDS) {
			await write
				.insertInto("workspaces")
				.values({ id, name: id, created_at: 1 })
				.onConflict((conflict) => conflict.doNothing())
				.execute();
			const workspace = createPostgresDatabase(database.pool, id);
			await putSettings(workspace.write, id, { keyring, apiKey: `key of ${id}` });
			await putSecret(workspace.write, id, { keyring, name: "a", value: `secret of ${id}` });
		}
	});

	it("encrypts everything of all workspaces with the first key, and the second time nothing", async () => {
		const done = { undecryptable: [], failed: [] };
		expect(await rotate([newKey, oldKey])).toEqual({ ...done, reencrypted: 4, alreadyCurrent: 0 });
		for (const id of IDS) expect(await read(id, newKey)).toEqual(encrypted(id));
		expect(await rotate([newKey])).toEqual({ ...done, reencrypted: 0, alreadyCurrent: 4 });
		// A service can start again.
		await (await lockExclusively(database.toUrl(APPLICATION))).release();
	});

	it("is refused while a service runs that does not encrypt with that key, and goes on beside one that does", async () => {
		const start = (keys: readonly EncryptionKey[]) =>
			openInstanceSession(database.toUrl(APPLICATION), {
				...{ id: createId("ins"), version: "1.0", databaseVersion: 0 },
				encryptionKeys: createKeyring(keys).fingerprints,
			});
		const [before, after] = [await start([oldKey, newKey]), await start([newKey, oldKey])];
		try {
			await expect(rotate([newKey, oldKey])).rejects.toMatchObject({ code: "service_lacks_key" });
			for (const id of IDS) expect(await read(id, oldKey)).toEqual(encrypted(id));
			await before.close();
			expect(await rotate([newKey, oldKey])).toMatchObject({ reencrypted: 4 });
		} finally {
			await before.close();
			await after.close();
		}
	});
});
