import type { DeploymentStore } from "./deployment-store";
import type { StorageError } from "./storage-error";
import type { WorkspaceStore } from "./workspace-store";

/** File of a workspace, and what is expected of it. */
export interface WorkspaceFile {
	readonly id: string;
	/** Path. */
	readonly file: string;
	/** The file has tables, or is not the workspace's. */
	readonly isKnown: boolean;
	/** Called each time that damage is found in the file. */
	readonly onDamage: (error: StorageError) => void;
}

/** Opener of the stores of one data folder. */
export interface StoreOpener {
	/**
	 * Opens the store of the deployment; creates it where there is none.
	 *
	 * @param lockIdentity - of the lock that this process holds on the folder; it is recorded.
	 */
	openDeployment(dataFolder: string, lockIdentity: string): Promise<DeploymentStore>;
	/**
	 * Opens the store of a workspace.
	 *
	 * @throws StorageError where its file cannot be used; `storage_mismatch` for that of another workspace.
	 */
	openWorkspace(file: WorkspaceFile): Promise<WorkspaceStore>;
	/** Ends what all stores share, once they are closed. */
	stop(): Promise<void>;
}
