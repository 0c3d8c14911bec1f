import type { KeyFingerprint } from "../encryption/keyring";
import type { DeploymentStore } from "./deployment-store";
import type { WorkspaceStore } from "./workspace-store";

/** Part of a workspace's store that commands use while a service may be serving it. */
export type SharedWorkspaceStore = Pick<WorkspaceStore, "audit" | "ciphertexts" | "close">;

/** Stores of a deployment that a service may be serving meanwhile. Where none does, none starts until `close`. */
export interface SharedStores {
	readonly deployment: DeploymentStore;
	/** Lists the encryption keys of each instance that serves them; the first key of each encrypts. */
	listServiceKeys(): Promise<readonly (readonly KeyFingerprint[])[]>;
	/** @throws StorageError where the store is missing, or cannot be used. */
	openWorkspace(id: string): SharedWorkspaceStore;
	close(): Promise<void>;
}
