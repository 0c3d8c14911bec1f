import type { RunningSync, SyncTally } from "../../sqlite/sources/running-sync";
import type { WorkspaceTransaction } from "../workspace-transaction";

/** Finds a sync by its id; `undefined` where it has ended, or its source or knowledge base is deleted. */
export const findRunningSync = (
	transaction: WorkspaceTransaction,
	id: string,
): Promise<RunningSync | undefined> =>
	transaction
		.selectFrom("source_syncs")
		.innerJoin("sources", "sources.number", "source_syncs.source")
		.innerJoin("knowledge_bases", "knowledge_bases.number", "sources.knowledge_base")
		.select(["source_syncs.number", "source_syncs.source", "sources.knowledge_base as knowledgeBase"])
		.select(["is_forced", "counts", "bytes_read", "issues"])
		.where("source_syncs.id", "=", id)
		.where("status", "=", "running")
		.where("sources.deleted_at", "is", null)
		.where("knowledge_bases.deleted_at", "is", null)
		.executeTakeFirst();

/**
 * Stores the counts of a sync, in the transaction of what they count. The state of the scan before is deleted: it is not what
 * is stored any more.
 */
export async function storeTally(
	transaction: WorkspaceTransaction,
	sync: RunningSync,
	{ counts, issues, bytes }: SyncTally,
): Promise<void> {
	await transaction
		.updateTable("source_syncs")
		.set({ counts: JSON.stringify(counts), issues: JSON.stringify(issues), bytes_read: bytes })
		.where("number", "=", sync.number)
		.execute();
	await transaction
		.updateTable("sources")
		.set({ scan_state: null })
		.where("number", "=", sync.source)
		.execute();
}
