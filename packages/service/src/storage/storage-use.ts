import { formatBytes } from "@stemma/core/internal";
import { sql } from "kysely";
import { DomainError } from "../errors/domain-error";
import type { Database } from "../store/database";
import type { WorkspaceTables } from "../store/workspace-tables";

/** Pages that hold something: what was deleted counts no more, though the file keeps its size for a while. */
const USED_BYTES = sql<{ bytes: number }>`
	SELECT (page_count - freelist_count) * page_size AS bytes
	FROM pragma_page_count, pragma_freelist_count, pragma_page_size`;

/** Bytes that a workspace uses of its file. */
export async function readStorageBytes({ read }: Pick<Database<WorkspaceTables>, "read">): Promise<number> {
	const { rows } = await USED_BYTES.execute(read);
	return rows[0]?.bytes ?? 0;
}

/**
 * Makes sure that a workspace may store more.
 *
 * @param bytes - how much, as far as that is known.
 * @param maxBytes - of the workspace.
 * @throws DomainError `quota_exceeded`.
 */
export async function assertWithinQuota(
	database: Pick<Database<WorkspaceTables>, "read">,
	bytes: number,
	maxBytes: number,
): Promise<void> {
	const used = await readStorageBytes(database);
	if (used + bytes <= maxBytes) return;
	throw new DomainError(
		"quota_exceeded",
		`The workspace uses ${formatBytes(used)} of the ${formatBytes(maxBytes)} that it may store.`,
		{
			hint: "Nothing of this request was stored. Delete documents or knowledge bases that are not needed; their space becomes free within moments. The operator of the service can raise limits.storage_bytes.",
			details: { quota: "storage_bytes", used, maximum: maxBytes, requested: bytes },
		},
	);
}
