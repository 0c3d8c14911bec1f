import type { DeploymentDatabase } from "../store/deployment-database";
import type { KeyFingerprint, Keyring } from "./keyring";

/** Writes down which keys this service holds, for `stemma keys rotate`. To be done at the start, before anything is encrypted. */
export async function registerKeyIds(
	{ write }: Pick<DeploymentDatabase, "write">,
	{ fingerprints }: Keyring,
): Promise<void> {
	const rows = fingerprints.map(({ id, keyCheck }, position) => ({ position, id, key_check: keyCheck }));
	await write.transaction().execute(async (transaction) => {
		await transaction.deleteFrom("encryption_keys").execute();
		if (rows.length > 0) await transaction.insertInto("encryption_keys").values(rows).execute();
	});
}

/** The keys of the service that was started last; the first encrypts. */
export async function readRegisteredKeys({
	read,
}: Pick<DeploymentDatabase, "read">): Promise<readonly KeyFingerprint[]> {
	const rows = await read.selectFrom("encryption_keys").selectAll().orderBy("position").execute();
	return rows.map(({ id, key_check }) => ({ id, keyCheck: key_check }));
}
