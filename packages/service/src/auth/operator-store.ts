import { existsSync } from "node:fs";
import { ConfigurationError } from "@stemma/core/errors";
import { quote } from "@stemma/core/internal";
import type { DatabaseConfiguration } from "../configuration/configuration";
import { releaseBallastIfFull } from "../storage/ballast";
import type { DeploymentPlace } from "../store/data-folder/assert-data-folder";
import { tryLockDataFolder } from "../store/data-folder/data-folder-lock";
import { toDeploymentFile } from "../store/data-folder/deployment-file";
import type { DeploymentStore } from "../store/deployment-store";
import { openPostgresDeployment } from "../store/postgres/open-deployment";
import { openDeploymentStore, openDeploymentStoreForUpdate } from "../store/sqlite/open-shared-stores";
import type { StoredWorkspace } from "../workspaces/workspace-repository";

/** Store of a deployment, with the workspace that a command of the operator is about. */
export interface OperatorStore {
	readonly store: DeploymentStore;
	readonly workspaceId: string;
}

/**
 * Runs the work of a command in the store of a deployment, also while a service serves it.
 *
 * @param workspace - id or name of the workspace. Default: the oldest one.
 * @throws ConfigurationError where it is no data folder, or has no workspace yet; `workspace_not_found`.
 * @throws StorageError where its file or database cannot be used, or is of another version of Stemma.
 */
export function withOperatorStore<Result>(
	{ data, database }: DeploymentPlace,
	workspace: string | undefined,
	work: (opened: OperatorStore) => Promise<Result>,
): Promise<Result> {
	const workInStore = async (store: DeploymentStore): Promise<Result> => {
		const workspaceId = findWorkspaceId(await store.workspaces.listAll(), workspace);
		return work({ store, workspaceId });
	};
	return database === undefined
		? withStoreOfFolder(data, workInStore)
		: withStoreOfDatabase(database, workInStore);
}

async function withStoreOfFolder<Result>(
	dataFolder: string,
	work: (store: DeploymentStore) => Promise<Result>,
): Promise<Result> {
	// Reading needs a little space, too: for the file that readers share.
	if (existsSync(toDeploymentFile(dataFolder))) releaseBallastIfFull(dataFolder);
	// Whoever locks the folder must not have its files open.
	await openDeploymentStore(dataFolder).close();
	const lock = tryLockDataFolder(dataFolder);
	let store: DeploymentStore | undefined;
	try {
		store = openDeploymentStoreForUpdate(dataFolder);
		return await work(store);
	} finally {
		await store?.close();
		lock?.release();
	}
}

async function withStoreOfDatabase<Result>(
	database: DatabaseConfiguration,
	work: (store: DeploymentStore) => Promise<Result>,
): Promise<Result> {
	const store = await openPostgresDeployment(database);
	try {
		return await work(store);
	} finally {
		await store.close();
	}
}

function findWorkspaceId(workspaces: readonly StoredWorkspace[], idOrName: string | undefined): string {
	const [oldest] = workspaces;
	if (oldest === undefined)
		throw new ConfigurationError("The deployment has no workspace yet.", {
			code: "workspace_missing",
			hint: "Start the service once: it creates the first workspace.",
		});
	if (idOrName === undefined) return oldest.id;
	const found =
		workspaces.find(({ id }) => id === idOrName) ?? workspaces.find(({ name }) => name === idOrName);
	if (found === undefined)
		throw new ConfigurationError(`The deployment has no workspace ${quote(idOrName)}.`, {
			code: "workspace_not_found",
			hint: `There are: ${workspaces.map(({ name }) => quote(name)).join(", ")}.`,
		});
	return found.id;
}
