import { expect, it } from "vitest";
import { openMemoryDatabase } from "../http/test-support/memory-database";
import { type DeploymentTables, deploymentMigrations } from "../store/deployment-tables";
import { createKeyring } from "./keyring";
import { readRegisteredKeys, registerKeyIds } from "./register-key-ids";
import { createEncryptionKey } from "./test-support/encrypted-workspace";

it("announces the keys of the last start, the one that encrypts first, and nothing of what they are", async () => {
	const database = openMemoryDatabase<DeploymentTables>(deploymentMigrations);
	const [one, two] = [createEncryptionKey("one"), createEncryptionKey("two")];
	expect(await readRegisteredKeys(database)).toEqual([]);
	for (const keys of [[one, two], [two, one], [createEncryptionKey("two")], []]) {
		const keyring = createKeyring(keys);
		await registerKeyIds(database, keyring);
		expect(await readRegisteredKeys(database)).toEqual(keyring.fingerprints);
		const stored = JSON.stringify(await database.read.selectFrom("encryption_keys").selectAll().execute());
		for (const { key } of keys) expect(stored).not.toContain(key.reveal());
	}
});
