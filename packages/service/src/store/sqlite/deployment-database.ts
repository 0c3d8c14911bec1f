import { sql } from "kysely";
import { toDeploymentFile } from "../data-folder/deployment-file";
import { prepareDatabaseFile } from "../data-folder/private-files";
import type { Database, DatabaseThreads } from "../database";
import { type DeploymentTables, deploymentMigrations } from "../deployment-tables";

/** The file that all workspaces share: it knows who may come in, and nothing of what they keep. */
export type DeploymentDatabase = Database<DeploymentTables>;

/** Opens `deployment.sqlite` of a data folder; makes it where there is none. */
export async function openDeploymentDatabase(
	threads: DatabaseThreads,
	dataFolder: string,
): Promise<DeploymentDatabase> {
	const file = toDeploymentFile(dataFolder);
	prepareDatabaseFile(file);
	const database = await threads.open<DeploymentTables>(file, deploymentMigrations);
	// What is deleted is overwritten: the names of clients go with their workspace.
	await sql`PRAGMA secure_delete = ON`.execute(database.write);
	return database;
}
