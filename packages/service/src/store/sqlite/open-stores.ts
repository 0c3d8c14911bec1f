import { recordLockIdentity } from "../data-folder/lock-identity";
import { startDatabaseThreads, type WriteObserver } from "../database";
import { openDeploymentDatabase } from "../deployment-database";
import type { StoreOpener } from "../store-opener";
import { assertWorkspaceIdentity } from "../workspace-identity";
import { type WorkspaceTables, workspaceMigrations } from "../workspace-tables";
import { createDeploymentStore } from "./deployment/deployment-store";
import { createWorkspaceStore } from "./workspace-store";

/** Starts the threads that open the SQLite files of a data folder. */
export function startSqliteStores(observer: WriteObserver): StoreOpener {
	const threads = startDatabaseThreads(observer);
	return {
		async openDeployment(dataFolder, lockIdentity) {
			const database = await openDeploymentDatabase(threads, dataFolder);
			await recordLockIdentity(database, lockIdentity);
			return createDeploymentStore(database);
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
