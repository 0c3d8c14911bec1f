import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Database } from "../database";
import type { DeploymentTables } from "../deployment-tables";

/** Name of the row for the lock file in the deployment's values. */
const LOCK_FILE_SECRET_NAME = "lock_file";

/** Keeps in the deployment's database which lock file its service holds. Writes nothing where that is known. */
export async function recordLockIdentity(
	{ read, write }: Pick<Database<DeploymentTables>, "read" | "write">,
	identity: string,
): Promise<void> {
	const known = await read
		.selectFrom("deployment_secrets")
		.select("value")
		.where("name", "=", LOCK_FILE_SECRET_NAME)
		.executeTakeFirst();
	if (known !== undefined && new TextDecoder().decode(known.value) === identity) return;
	const value = new TextEncoder().encode(identity);
	await write
		.insertInto("deployment_secrets")
		.values({ name: LOCK_FILE_SECRET_NAME, value })
		.onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
		.execute();
}

/** Reads which lock file the last service held; `undefined` where nothing says so, or the file cannot be read. */
export function readLockIdentity(deploymentFile: string): string | undefined {
	if (!statSync(deploymentFile, { throwIfNoEntry: false })?.size) return undefined;
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(deploymentFile, { readOnly: true });
		const row = database
			.prepare("SELECT value FROM deployment_secrets WHERE name = ?")
			.get(LOCK_FILE_SECRET_NAME);
		return row?.value instanceof Uint8Array ? new TextDecoder().decode(row.value) : undefined;
	} catch {
		return undefined;
	} finally {
		database?.close();
	}
}
