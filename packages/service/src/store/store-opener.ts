import type { InstanceBus } from "./claims/instance-bus";
import type { DeploymentStore } from "./deployment-store";
import type { SharedByInstances } from "./instances/shared-by-instances";
import type { StorageError } from "./storage-error";
import type { WorkspaceStore } from "./workspace-store";

/** Workspace that is opened, and what is expected of it. */
export interface WorkspaceOpening {
	readonly id: string;
	/** The deployment knows the workspace: an empty one in its place would hide what was lost. */
	readonly isKnown: boolean;
	/** Called each time that damage is found in the workspace's own file. */
	readonly onDamage: (error: StorageError) => void;
}

/** Opener of the stores of one deployment. */
export interface StoreOpener {
	/** Opens the store of the deployment; creates it where there is none. */
	openDeployment(): Promise<DeploymentStore>;
	/**
	 * Opens the store of a workspace; creates it where none is known.
	 *
	 * @throws StorageError where it cannot be used; `storage_missing` where it is known and was lost; `storage_mismatch` for
	 * that of another workspace.
	 */
	openWorkspace(workspace: WorkspaceOpening): Promise<WorkspaceStore>;
	/** Deletes all that a workspace has stored, once its store is closed. A power cut brings none of it back. */
	deleteWorkspace(id: string): Promise<void>;
	/** Lists the workspaces in which instances have left work that ended before it. Left out for a store of one process. */
	listInterrupted?(): Promise<readonly string[]>;
	/** Messages between the instances that share the stores. Left out for a store of one process. */
	readonly bus?: InstanceBus;
	/** Ends what all stores share, once they are closed. */
	stop(): Promise<void>;
	/** Parts that instances share beside their stores. Left out for a store of one process. */
	readonly shared?: SharedByInstances;
}
