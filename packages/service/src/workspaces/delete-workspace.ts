import { join } from "node:path";
import { clock } from "@stemma/core/internal";
import { sql } from "kysely";
import type { AuditAuthor } from "../audit/audit-author";
import { deleteBootstrapCredentials } from "../auth/bootstrap-credentials";
import type { DeploymentDatabase } from "../store/deployment-database";
import { recordDeploymentAudit } from "../store/sqlite/audit-repository";
import { lastWorkspace, workspaceNotFound } from "./workspace-errors";
import { deleteWorkspaceFiles } from "./workspace-files";

/** Path of the folder with the files of all workspaces. */
export const toWorkspacesFolder = (dataFolder: string): string => join(dataFolder, "workspaces");

/** Author of a workspace's deletion: a client of another workspace, in whose audit it is recorded. */
export interface WorkspaceAuthor extends AuditAuthor {
	readonly workspaceId: string;
}

/**
 * Writes down that a workspace is deleted, and ends all of its credentials. From here on it is deleted, whatever happens:
 * a start finishes what a crash has cut off.
 *
 * @throws DomainError `workspace_not_found`, or `last_workspace` where no other would be left.
 */
export const markDeleted = (
	{ write }: DeploymentDatabase,
	id: string,
	{ workspaceId, ...author }: WorkspaceAuthor,
): Promise<void> =>
	write.transaction().execute(async (transaction) => {
		const marked = await transaction
			.updateTable("workspaces")
			.set({ deleting_at: clock.now() })
			.where("id", "=", id)
			.where("deleting_at", "is", null)
			.returning("name")
			.executeTakeFirst();
		if (marked === undefined) throw workspaceNotFound();
		const left = await transaction
			.selectFrom("workspaces")
			.select("id")
			.where("deleting_at", "is", null)
			.where("id", "=", workspaceId)
			.executeTakeFirst();
		if (left === undefined) throw lastWorkspace();
		await transaction.deleteFrom("clients").where("workspace_id", "=", id).execute();
		await transaction.deleteFrom("client_keys").where("workspace_id", "=", id).execute();
		// What it did to other workspaces stays known.
		await transaction
			.updateTable("audit")
			.set({ workspace_id: workspaceId })
			.where("workspace_id", "=", id)
			.where("action", "in", ["workspace.created", "workspace.renamed", "workspace.deleted"])
			.where("target", "!=", id)
			.execute();
		await recordDeploymentAudit(transaction, workspaceId, {
			...author,
			action: "workspace.deleted",
			target: id,
			details: { name: marked.name },
		});
	});

/** True while a deletion is written down and not finished. */
export async function isMarkedDeleted(read: DeploymentDatabase["read"], id: string): Promise<boolean> {
	const row = await read
		.selectFrom("workspaces")
		.select("id")
		.where("id", "=", id)
		.where("deleting_at", "is not", null)
		.executeTakeFirst();
	return row !== undefined;
}

/** Deletes what the deployment's own files still have of a workspace whose files are gone. */
export async function purgeWorkspace(
	deployment: DeploymentDatabase,
	dataFolder: string,
	id: string,
): Promise<void> {
	await deleteBootstrapCredentials(dataFolder, id);
	await deployment.write
		.deleteFrom("workspaces")
		.where("id", "=", id)
		.where("deleting_at", "is not", null)
		.execute();
	// The log would keep what was deleted until it is overwritten.
	await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(deployment.write);
}

/** Ids of the workspaces whose deletion is written down and not finished. */
export async function listMarkedDeleted(read: DeploymentDatabase["read"]): Promise<readonly string[]> {
	const rows = await read
		.selectFrom("workspaces")
		.select("id")
		.where("deleting_at", "is not", null)
		.execute();
	return rows.map(({ id }) => id);
}

/**
 * Finishes the deletions that the process before did not. Before any workspace is opened. One that fails is reported, and
 * stays written down for the next try.
 */
export async function finishDeletions(
	deployment: DeploymentDatabase,
	dataFolder: string,
	onError: (error: unknown) => void,
): Promise<void> {
	for (const id of await listMarkedDeleted(deployment.read)) {
		try {
			await deleteWorkspaceFiles(toWorkspacesFolder(dataFolder), id);
			await purgeWorkspace(deployment, dataFolder, id);
		} catch (error) {
			onError(error);
		}
	}
}
