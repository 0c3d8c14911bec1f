import {
	bootstrapCredentialsFile,
	readBootstrapCredentials,
	type WorkspaceCredentials,
	writeBootstrapCredentials,
} from "../auth/bootstrap-credentials";
import { SCOPES } from "../auth/scopes";
import { isOwnFile } from "../store/data-folder/private-files";
import { StorageError } from "../store/storage-error";
import { createWorkspace, createWorkspaceCredentials } from "./create-workspace";
import type { WorkspaceRepository } from "./workspace-repository";
import { countWorkspaces, type Workspaces } from "./workspaces";

/** Location of the credentials of the first start. */
export interface BootstrapCredentials {
	readonly path: string;
	/** True where this start has created them. */
	readonly isNew: boolean;
}

/**
 * Makes the first workspace of a deployment that has none. The secrets are on the disk before anything knows them: a
 * start that was cut off between the two finds them there and goes on.
 */
export async function createDefaultWorkspace(
	repository: WorkspaceRepository,
	workspaces: Workspaces,
	dataFolder: string,
	origins: readonly string[],
): Promise<BootstrapCredentials> {
	const path = bootstrapCredentialsFile(dataFolder);
	if (countWorkspaces(workspaces) > 0) return { path, isNew: false };
	if (!isOwnFile(path)) throw ownedByOtherUser(path);
	const credentials = (await readBootstrapCredentials(path)) ?? (await writeNewCredentials(path));
	await createWorkspace(repository, workspaces, {
		name: "default",
		credentials,
		origins,
		scopes: SCOPES,
	});
	return { path, isNew: true };
}

/** Creates the error for a credentials file of another user, who may know the secrets in it. */
const ownedByOtherUser = (path: string): StorageError =>
	new StorageError(`${path} belongs to another user.`, {
		code: "storage_unsafe",
		hint: "Remove it, and start again: the first start creates credentials that no one else knows.",
	});

async function writeNewCredentials(path: string): Promise<WorkspaceCredentials> {
	const credentials = createWorkspaceCredentials();
	await writeBootstrapCredentials(path, credentials);
	return credentials;
}
