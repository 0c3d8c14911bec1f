import type { DeploymentStore } from "./deployment-store";
import type { WorkspaceStore } from "./workspace-store";

/** Part of a workspace's store that commands use while a service may be serving it. */
export type SharedWorkspaceStore = Pick<WorkspaceStore, "audit" | "ciphertexts" | "close">;

/** Stores of a deployment that a service may be serving meanwhile. */
export interface SharedStores {
	readonly deployment: DeploymentStore;
	/** A service serves them; otherwise none starts until `close`. */
	readonly isServed: boolean;
	/** @throws StorageError where the store is missing, or cannot be used. */
	openWorkspace(id: string): SharedWorkspaceStore;
	close(): Promise<void>;
}
