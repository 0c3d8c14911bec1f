import { statSync } from "node:fs";
import { sql } from "kysely";
import { recordLockIdentity } from "../data-folder/lock-identity";
import { prepareDatabaseFile } from "../data-folder/private-files";
import { deleteWorkspaceFiles, toWorkspaceFile, toWorkspacesFolder } from "../data-folder/workspace-files";
import { startDatabaseThreads } from "../database";
import { createDeploymentStore } from "../repositories/deployment/deployment-store";
import { createWorkspaceStore } from "../repositories/workspace-store";
import { StorageError } from "../storage-error";
import type { StoreOpener } from "../store-opener";
import { assertWorkspaceIdentity } from "../workspace-identity";
import { type WorkspaceTables, workspaceMigrations } from "../workspace-tables";
import type { WriteObserver } from "../write-lock";
import { type DeploymentDatabase, openDeploymentDatabase } from "./deployment-database";

/** Options of the stores in a data folder. */
export interface SqliteStoresOptions extends WriteObserver {
	readonly dataFolder: string;
	/** Identity of the lock that this process holds on the folder; it is recorded. */
	readonly lockIdentity: string;
}

/** Starts the threads that open the SQLite files of a data folder. */
export function startSqliteStores({
	dataFolder,
	lockIdentity,
	...observer
}: SqliteStoresOptions): StoreOpener {
	const threads = startDatabaseThreads(observer);
	const folder = toWorkspacesFolder(dataFolder);
	return {
		async openDeployment() {
			const database = await openDeploymentDatabase(threads, dataFolder);
			await recordLockIdentity(database, lockIdentity);
			return createDeploymentStore({ ...database, eraseLog: () => truncateLog(database) });
		},
		async openWorkspace({ id, isKnown, onDamage }) {
			const file = toWorkspaceFile(folder, id);
			prepareDatabaseFile(file, !isKnown);
			if (isKnown) assertNotEmpty(file);
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
		deleteWorkspace: (id) => deleteWorkspaceFiles(folder, id),
		stop: () => threads.stop(),
	};
}

/** The log would keep what was deleted until it is overwritten. */
async function truncateLog({ write }: DeploymentDatabase): Promise<void> {
	await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(write);
}

/** A workspace that is known has a file: an empty one in its place would hide what was lost. */
function assertNotEmpty(file: string): void {
	if (statSync(file, { throwIfNoEntry: false })?.size) return;
	throw new StorageError(`The file ${file} is missing or empty: a workspace has everything in it.`, {
		code: "storage_missing",
		hint: "Put it back, or restore the data folder from a backup.",
	});
}
