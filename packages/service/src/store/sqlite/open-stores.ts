import { sql } from "kysely";
import { recordLockIdentity } from "../data-folder/lock-identity";
import { startDatabaseThreads } from "../database";
import { type DeploymentDatabase, openDeploymentDatabase } from "../deployment-database";
import type { StoreOpener } from "../store-opener";
import { assertWorkspaceIdentity } from "../workspace-identity";
import { type WorkspaceTables, workspaceMigrations } from "../workspace-tables";
import { createDeploymentStore } from "./deployment/deployment-store";
import { createWorkspaceStore } from "./workspace-store";

/** The log would keep what was deleted until it is overwritten. */
async function truncateLog({ write }: DeploymentDatabase): Promise<void> {
	await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(write);
}

/**
 * Starts the threads that open the SQLite files of a data folder.
 *
 * @param prepareWrite - called before each transaction, statement and job that may write.
 */
export function startSqliteStores(prepareWrite: () => void): StoreOpener {
	const threads = startDatabaseThreads(prepareWrite);
	return {
		async openDeployment(dataFolder, lockIdentity) {
			const database = await openDeploymentDatabase(threads, dataFolder);
			await recordLockIdentity(database, lockIdentity);
			return createDeploymentStore({ ...database, eraseLog: () => truncateLog(database) });
		},
		async openWorkspace({ id, file, isKnown, onDamage }) {
			const options = { mustExist: isKnown, onDamage };
			const database = await threads.open<WorkspaceTables>(file, workspaceMigrations, options);
			try {
				await assertWorkspaceIdentity(database, id);
				return createWorkspaceStore(database);
			} catch (error) {
				await database.closeAndReject();
				throw error;
			}
		},
		stop: () => threads.stop(),
	};
}
