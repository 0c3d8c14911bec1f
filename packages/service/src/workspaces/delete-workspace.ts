import type { AuditAuthor } from "../audit/audit-author";
import { deleteBootstrapCredentials } from "../auth/bootstrap-credentials";
import type { StoreOpener } from "../store/store-opener";
import type { WorkspaceRepository } from "./workspace-repository";

/** Author of a workspace's deletion: a client of another workspace, in whose audit it is recorded. */
export interface WorkspaceAuthor extends AuditAuthor {
	readonly workspaceId: string;
}

/** Deletes what the deployment itself still has of a workspace whose store is gone. */
export async function purgeWorkspace(
	repository: WorkspaceRepository,
	dataFolder: string,
	id: string,
): Promise<void> {
	await deleteBootstrapCredentials(dataFolder, id);
	await repository.purge(id);
}

/**
 * Finishes the deletions that the process before did not. Before any workspace is opened. One that fails is reported, and
 * stays written down for the next try.
 */
export async function finishDeletions(
	repository: WorkspaceRepository,
	opener: Pick<StoreOpener, "deleteWorkspace">,
	dataFolder: string,
	onError: (error: unknown) => void,
): Promise<void> {
	for (const id of await repository.listDeleted()) {
		try {
			await opener.deleteWorkspace(id);
			await purgeWorkspace(repository, dataFolder, id);
		} catch (error) {
			onError(error);
		}
	}
}
