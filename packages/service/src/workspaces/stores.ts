import type { Configuration } from "../configuration/configuration";
import { type InstanceBus, ownBus } from "../store/claims/instance-bus";
import type { RestrictedFiles } from "../store/data-folder/private-files";
import type { DeploymentStore } from "../store/deployment-store";
import type { SharedByInstances } from "../store/instances/shared-by-instances";
import { openPostgresBackend } from "./backends/postgres-backend";
import { openSqliteBackend } from "./backends/sqlite-backend";
import { finishDeletions } from "./delete-workspace";
import type { WorkspacesOptions } from "./workspace-table";
import { openWorkspaces, type Workspaces } from "./workspaces";

/** All that a deployment holds, open. */
export interface Stores {
	readonly deployment: DeploymentStore;
	readonly workspaces: Workspaces;
	/** Parts that other instances share; `undefined` where there are none. */
	readonly shared: SharedByInstances | undefined;
	/** Files and folders that other users could access until this start. */
	readonly files: RestrictedFiles;
	/** Names of files that would be workspaces' if the deployment knew them. */
	readonly unknownFiles: readonly string[];
	/** Messages between the instances that share the stores. */
	readonly bus: InstanceBus;
	/** Lets runs end within the grace time, ends what all stores share, and lets the next service in. */
	close(graceMs: number): Promise<void>;
}

/**
 * Opens a data folder that was prepared, or a database; makes what is missing in it.
 *
 * @throws ConfigurationError for a folder or database that cannot be used or is in use, and where SQLite lacks full-text
 * search.
 * @throws StorageError where the deployment's own store is damaged; `deployment_missing` where it is lost.
 */
export async function openStores(
	{ data: dataFolder, database, embeddings }: Pick<Configuration, "data" | "database" | "embeddings">,
	options: WorkspacesOptions,
): Promise<Stores> {
	const { disk, metrics } = options;
	const onWrite = metrics.observeWrite;
	const { opener, files, listUnknownFiles, release } =
		database === undefined
			? await openSqliteBackend(dataFolder, { prepareWrite: disk.prepareWrite, onWrite })
			: await openPostgresBackend(dataFolder, {
					...database,
					needsVectorSearch: embeddings !== undefined,
					encryptionKeys: options.keyring.fingerprints,
					onWrite,
				});
	try {
		const deployment = await opener.openDeployment();
		await finishDeletions(deployment.workspaces, opener, dataFolder, options.onError);
		const ids = (await deployment.workspaces.listAll()).map(({ id }) => id);
		const deletedIds = await deployment.workspaces.listDeleted();
		const unknownFiles = await listUnknownFiles([...ids, ...deletedIds]);
		const workspaces = await openWorkspaces(opener, deployment.workspaces, options);
		return {
			deployment,
			workspaces,
			shared: opener.shared,
			files,
			unknownFiles,
			bus: opener.bus ?? ownBus,
			async close(graceMs) {
				await workspaces.close(graceMs);
				await deployment.close();
				await release();
			},
		};
	} catch (error) {
		await release();
		throw error;
	}
}
