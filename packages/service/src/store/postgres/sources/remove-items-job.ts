import {
	ITEMS_PER_REMOVAL,
	MIN_SUSPICIOUS_ITEMS,
	type RemoveMissingInput,
	toDuplicateIssue,
} from "../../sqlite/sources/remove-items-job";
import { type RunningSync, type SyncTally, startTally } from "../../sqlite/sources/running-sync";
import type { PostgresJob } from "../postgres-job";
import type { WorkspaceTransaction } from "../workspace-transaction";
import { findRunningSync, storeTally } from "./running-sync";
import { removeItem } from "./source-items";

/** Removes some items that a complete scan has not found. Documents that another item has stay, and show that one. */
export const removeMissingItems: PostgresJob<
	RemoveMissingInput,
	"more" | "done" | "ended" | "source_empty"
> = async (transaction, { sync: id }) => {
	const sync = await findRunningSync(transaction, id);
	if (sync === undefined) return "ended";
	const tally = startTally(sync);
	if (await isSuspicious(transaction, sync, tally)) return "source_empty";
	const missing = await transaction
		.selectFrom("source_items")
		.select(["key", "document"])
		.where("source", "=", sync.source)
		.where("seen_sync", "<", sync.number)
		.orderBy("key")
		.limit(ITEMS_PER_REMOVAL)
		.execute();
	for (const item of missing) await removeItem(transaction, sync, tally, item);
	if (missing.length < ITEMS_PER_REMOVAL) await reportDuplicates(transaction, sync, tally);
	await storeTally(transaction, sync, tally);
	return missing.length < ITEMS_PER_REMOVAL ? "done" : "more";
};

/** Checks whether a source of several items has none any more: a disk that is not mounted, a site behind a login. */
async function isSuspicious(
	transaction: WorkspaceTransaction,
	sync: RunningSync,
	{ counts }: SyncTally,
): Promise<boolean> {
	if (sync.is_forced === 1 || counts.removed + counts.skipped + counts.failed > 0) return false;
	const items = transaction.selectFrom("source_items").select("key").where("source", "=", sync.source);
	const found = await items.where("seen_sync", "=", sync.number).limit(1).executeTakeFirst();
	if (found !== undefined) return false;
	return (await items.limit(MIN_SUSPICIOUS_ITEMS).execute()).length === MIN_SUSPICIOUS_ITEMS;
}

/** Reports the items that this sync found first and whose document is that of another one, which is still there. */
async function reportDuplicates(
	transaction: WorkspaceTransaction,
	sync: RunningSync,
	{ addIssue }: SyncTally,
): Promise<void> {
	const duplicates = await transaction
		.selectFrom("source_items")
		.innerJoin("documents", "documents.number", "source_items.document")
		.select(["key", "source_key"])
		.where("source_items.source", "=", sync.source)
		.where("first_sync", "=", sync.number)
		.whereRef("source_key", "!=", "key")
		.orderBy("key")
		.execute();
	for (const { key, source_key } of duplicates) addIssue(toDuplicateIssue(key, source_key ?? ""));
}
