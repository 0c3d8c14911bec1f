import { statSync } from "node:fs";
import { bootstrapCredentialsFile, readBootstrapCredentials } from "../../auth/bootstrap-credentials";
import { toDeploymentFile } from "../../store/data-folder/deployment-file";
import {
	listWorkspaceFiles,
	toWorkspaceFile,
	toWorkspacesFolder,
} from "../../store/data-folder/workspace-files";
import { StorageError } from "../../store/storage-error";

/**
 * Refuses to make a new deployment over the files of workspaces.
 *
 * @throws StorageError `deployment_missing`.
 */
export function assertDeploymentFile(dataFolder: string): void {
	if (statSync(toDeploymentFile(dataFolder), { throwIfNoEntry: false })?.size) return;
	if (listWorkspaceFiles(toWorkspacesFolder(dataFolder)).length > 0)
		throw deploymentMissing(dataFolder, "is missing or empty");
}

/**
 * Lists the files in the folder of workspaces that belong to none: an operator should know of them.
 *
 * @param known - ids of the deployment's workspaces.
 * @throws StorageError `deployment_missing` where the deployment knows no workspace at all, and there are such files.
 */
export async function listUnknownFiles(
	dataFolder: string,
	known: readonly string[],
): Promise<readonly string[]> {
	const unknown = listWorkspaceFiles(toWorkspacesFolder(dataFolder)).filter((id) => !known.includes(id));
	const files = unknown.map((id) => toWorkspaceFile("", id));
	if (known.length > 0 || unknown.length === 0) return files;
	// A first start that was cut off has made the file of its workspace, and nothing else.
	const first = await readBootstrapCredentials(bootstrapCredentialsFile(dataFolder));
	if (unknown.length > 1 || unknown[0] !== first?.workspace_id)
		throw deploymentMissing(dataFolder, "knows no workspace");
	return [];
}

const deploymentMissing = (dataFolder: string, problem: string): StorageError =>
	new StorageError(
		`The file ${toDeploymentFile(dataFolder)} ${problem}, and ${toWorkspacesFolder(dataFolder)} has files of workspaces.`,
		{
			code: "deployment_missing",
			hint: 'Restore deployment.sqlite from a backup: it knows the workspaces, their clients and their keys. To start a new deployment instead, move the folder "workspaces" and the file first-credentials.json away first.',
		},
	);
