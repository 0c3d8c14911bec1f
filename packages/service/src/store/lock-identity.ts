import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Database } from "./database";
import type { DeploymentTables } from "./deployment-tables";

/** Its row among the deployment's values. */
const NAME = "lock_file";

/** Keeps in the deployment's database which lock file its service holds. */
export async function recordLockIdentity(
	{ write }: Pick<Database<DeploymentTables>, "write">,
	identity: string,
): Promise<void> {
	const value = new TextEncoder().encode(identity);
	await write
		.insertInto("deployment_secrets")
		.values({ name: NAME, value })
		.onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
		.execute();
}

/** Reads which lock file the last service held; `undefined` where nothing says so, or the file cannot be read. */
export function readLockIdentity(deploymentFile: string): string | undefined {
	if (!statSync(deploymentFile, { throwIfNoEntry: false })?.size) return undefined;
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(deploymentFile, { readOnly: true });
		const row = database.prepare("SELECT value FROM deployment_secrets WHERE name = ?").get(NAME);
		return row?.value instanceof Uint8Array ? new TextDecoder().decode(row.value) : undefined;
	} catch {
		return undefined;
	} finally {
		database?.close();
	}
}
