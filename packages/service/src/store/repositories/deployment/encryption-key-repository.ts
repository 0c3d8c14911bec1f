import type { EncryptionKeyRepository } from "../../../encryption/encryption-key-repository";
import type { Queries } from "../../database";
import type { DeploymentTables } from "../../deployment-tables";

/** Registered encryption keys of the deployment, in its tables. */
export const createEncryptionKeyRepository = ({
	read,
	write,
}: Queries<DeploymentTables>): EncryptionKeyRepository => ({
	async list() {
		const rows = await read.selectFrom("encryption_keys").selectAll().orderBy("position").execute();
		return rows.map(({ id, key_check }) => ({ id, keyCheck: key_check }));
	},
	replaceAll: (keys) =>
		write.transaction().execute(async (transaction) => {
			const rows = keys.map(({ id, keyCheck }, position) => ({ position, id, key_check: keyCheck }));
			await transaction.deleteFrom("encryption_keys").execute();
			if (rows.length > 0) await transaction.insertInto("encryption_keys").values(rows).execute();
		}),
});
