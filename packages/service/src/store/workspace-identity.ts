import type { Database } from "./database";
import type { JobFile } from "./job-file";
import { StorageError } from "./storage-error";

/** Says whose file it is: a copy of another workspace's file in its place would show one tenant what is another's. */
export interface WorkspaceIdentityTables {
	workspace_identity: { id: string };
}

export const workspaceIdentitySql = "CREATE TABLE workspace_identity (id TEXT NOT NULL) STRICT;";

/**
 * Makes sure that a file is that of a workspace. One that says nothing, because it is new or of an earlier version,
 * belongs to the workspace from now on.
 *
 * @throws StorageError `storage_mismatch`.
 */
export async function assertWorkspaceIdentity(
	{ read, write }: Pick<Database<WorkspaceIdentityTables>, "read" | "write">,
	id: string,
): Promise<void> {
	const row = await read.selectFrom("workspace_identity").select("id").executeTakeFirst();
	if (row === undefined) await write.insertInto("workspace_identity").values({ id }).execute();
	else if (row.id !== id)
		throw new StorageError(`The file of the workspace ${id} belongs to the workspace ${row.id}.`, {
			code: "storage_mismatch",
			hint: "Restore the right file from a backup, and start the service again.",
		});
}

/** Reads whose file it is; `undefined` for a file of an earlier version, which does not say so. */
export function readWorkspaceIdentity({ prepare }: Pick<JobFile, "prepare">): string | undefined {
	const isKnown = prepare("SELECT 1 FROM sqlite_schema WHERE name = 'workspace_identity'").get();
	return isKnown && prepare<{ id: string }>("SELECT id FROM workspace_identity").get()?.id;
}
