import { existsSync } from "node:fs";
import type { CreatedApiClient, Scope } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import { quote } from "@stemma/core/internal";
import { OPERATOR } from "../audit/audit-author";
import { createId } from "../create-id";
import { releaseBallastIfFull } from "../storage/ballast";
import { tryLockDataFolder } from "../store/data-folder/data-folder-lock";
import { toDeploymentFile } from "../store/data-folder/deployment-file";
import type { DeploymentStore } from "../store/deployment-store";
import { openDeploymentStore, openDeploymentStoreForUpdate } from "../store/sqlite/open-shared-stores";
import type { StoredWorkspace } from "../workspaces/workspace-repository";
import { createApiClients } from "./api-clients";
import { WORKSPACE_SCOPES } from "./scopes";

/** A client to be made by whoever owns the data folder. */
export interface OperatorClient {
	readonly name: string;
	/** Default: all scopes of a workspace, which are all but `deployment:write`. */
	readonly scopes?: readonly Scope[] | undefined;
	/** Id or name of the workspace that it belongs to. Default: the oldest one. */
	readonly workspace?: string | undefined;
}

/**
 * Makes a client in a data folder, also while a service serves it: without a credential, and with any scope. The
 * audit says that the operator has made it.
 *
 * @throws ConfigurationError where it is no data folder, or has no workspace yet; `workspace_not_found`.
 * @throws StorageError where its file cannot be used, or is of another version of Stemma.
 */
export async function createOperatorClient(
	dataFolder: string,
	{ name, scopes = WORKSPACE_SCOPES, workspace }: OperatorClient,
): Promise<CreatedApiClient & { readonly workspace_id: string }> {
	// Reading needs a little space, too: for the file that readers share.
	if (existsSync(toDeploymentFile(dataFolder))) releaseBallastIfFull(dataFolder);
	// Whoever locks the folder must not have its files open.
	await openDeploymentStore(dataFolder).close();
	const lock = tryLockDataFolder(dataFolder);
	let store: DeploymentStore | undefined;
	try {
		store = openDeploymentStoreForUpdate(dataFolder);
		const workspaceId = findWorkspaceId(await store.workspaces.listAll(), workspace);
		const clients = createApiClients(store.clients, workspaceId, { actor: OPERATOR });
		return { ...(await clients.create({ id: createId("cl"), name, scopes })), workspace_id: workspaceId };
	} finally {
		await store?.close();
		lock?.release();
	}
}

function findWorkspaceId(workspaces: readonly StoredWorkspace[], idOrName: string | undefined): string {
	const [oldest] = workspaces;
	if (oldest === undefined)
		throw new ConfigurationError("The data folder has no workspace yet.", {
			code: "workspace_missing",
			hint: "Start the service with this folder once: it creates the first workspace.",
		});
	if (idOrName === undefined) return oldest.id;
	const found =
		workspaces.find(({ id }) => id === idOrName) ?? workspaces.find(({ name }) => name === idOrName);
	if (found === undefined)
		throw new ConfigurationError(`The data folder has no workspace ${quote(idOrName)}.`, {
			code: "workspace_not_found",
			hint: `There are: ${workspaces.map(({ name }) => quote(name)).join(", ")}.`,
		});
	return found.id;
}
