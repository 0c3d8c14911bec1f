import {
	bootstrapCredentialsFile,
	deleteBootstrapCredentials,
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
 * start that was cut off between the two finds them there and goes on. Of several instances that start at the same time, one
 * creates it.
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
	const first = { name: FIRST_NAME, credentials, origins, scopes: SCOPES };
	try {
		await createWorkspace(repository, workspaces, first, { check: assertFirst });
		return { path, isNew: true };
	} catch (error) {
		if (!(error instanceof OtherIsFirstError)) throw error;
		await workspaces.delete(credentials.workspace_id);
		await deleteBootstrapCredentials(dataFolder, credentials.workspace_id);
		await workspaces.synchronize();
		return { path, isNew: false };
	}
}

const FIRST_NAME = "default";

/** Another instance has created the first workspace at the same moment. */
class OtherIsFirstError extends Error {}

function assertFirst(isNameTaken: boolean): void {
	if (isNameTaken) throw new OtherIsFirstError("There is a first workspace.");
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
