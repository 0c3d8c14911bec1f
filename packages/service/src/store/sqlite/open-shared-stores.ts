import type { OutdatedCounts } from "../../knowledge/repositories/upload-repository";
import { tryLockDataFolder } from "../data-folder/data-folder-lock";
import type { DeploymentStore } from "../deployment-store";
import { type DeploymentTables, deploymentMigrations } from "../deployment-tables";
import { createAuditRepository } from "../repositories/audit-repository";
import { createCiphertextRepository } from "../repositories/ciphertext-repository";
import { createDeploymentStore } from "../repositories/deployment/deployment-store";
import type { SharedStores, SharedWorkspaceStore } from "../shared-stores";
import type { SqliteFile } from "../sqlite-file";
import { type WorkspaceTables, workspaceMigrations } from "../workspace-tables";
import { countOutdatedDocuments } from "./knowledge/outdated-documents";
import {
	openDeploymentFile,
	openDeploymentFileForUpdate,
	openWorkspaceFile,
	type RotationFile,
	toRotationFile,
} from "./rotation-files";

/** Newest versions of the tables of both kinds of files. */
export const DEPLOYMENT_VERSION = deploymentMigrations.length;
export const WORKSPACE_VERSION = workspaceMigrations.length;

/**
 * Opens the store of a deployment for reading, in this thread.
 *
 * @throws ConfigurationError where it is no data folder; StorageError where the file cannot be used.
 */
export const openDeploymentStore = (dataFolder: string): DeploymentStore =>
	createDeploymentStore(openDeploymentFile(dataFolder));

/**
 * Opens the store of a deployment for a change, which a running service sees with its next statement.
 *
 * @throws as {@link openDeploymentStore}
 */
export const openDeploymentStoreForUpdate = (dataFolder: string): DeploymentStore =>
	createDeploymentStore(openDeploymentFileForUpdate(dataFolder));

/**
 * Opens the stores of a data folder in this thread, also while a service serves it.
 *
 * @throws as {@link openDeploymentStore}
 */
export async function openSharedFiles(dataFolder: string): Promise<SharedStores> {
	// Whoever locks the folder must not have its files open.
	await openDeploymentStore(dataFolder).close();
	const lock = tryLockDataFolder(dataFolder);
	try {
		const deployment = openDeploymentStore(dataFolder);
		return {
			deployment,
			listServiceKeys: async () => (lock === undefined ? [await deployment.encryptionKeys.list()] : []),
			openWorkspace: (id) => openWorkspaceStore(dataFolder, id),
			async close() {
				await deployment.close();
				lock?.release();
			},
		};
	} catch (error) {
		lock?.release();
		throw error;
	}
}

/** @throws StorageError where the file is missing, or cannot be used. */
const openWorkspaceStore = (dataFolder: string, workspaceId: string): SharedWorkspaceStore =>
	createSharedWorkspaceStore(openWorkspaceFile(dataFolder, workspaceId));

/** Store of a deployment in a file that is open. @param path - for messages. */
export const toDeploymentStore = (file: SqliteFile, path: string): DeploymentStore =>
	createDeploymentStore(toRotationFile<DeploymentTables>(file, path));

/** Store of a workspace in a file that is open. @param path - for messages. */
export const toWorkspaceStore = (file: SqliteFile, path: string): SharedWorkspaceStore =>
	createSharedWorkspaceStore(toRotationFile(file, path));

/** Counts the outdated documents of a workspace in a file that is open. */
export const countOutdated = (file: SqliteFile): OutdatedCounts => countOutdatedDocuments(file);

const createSharedWorkspaceStore = (file: RotationFile<WorkspaceTables>): SharedWorkspaceStore => ({
	audit: createAuditRepository(file),
	ciphertexts: createCiphertextRepository(file),
	close: async () => file.close(),
});
