import { open } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import type { Database, DatabaseThreads } from "./database";
import { type DeploymentTables, deploymentMigrations } from "./deployment-tables";

/** The file that all workspaces share: it knows who may come in, and nothing of what they keep. */
export type DeploymentDatabase = Database<DeploymentTables>;

/** Opens `deployment.sqlite` of a data folder; makes it where there is none. */
export async function openDeploymentDatabase(
	threads: DatabaseThreads,
	dataFolder: string,
): Promise<DeploymentDatabase> {
	const file = join(dataFolder, "deployment.sqlite");
	// SQLite would let everybody read a file that it makes, in a folder that was there before.
	await (await open(file, "a", 0o600)).close();
	const database = await threads.open<DeploymentTables>(file, deploymentMigrations);
	// What is deleted is overwritten: the names of clients go with their workspace.
	await sql`PRAGMA secure_delete = ON`.execute(database.write);
	return database;
}
