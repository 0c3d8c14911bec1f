import type { SourceIssue } from "@stemma/client";
import { inTransaction } from "../../in-transaction";
import type { JobFile } from "../../job-file";
import { removeDocument } from "../knowledge/jobs/sweep-job";
import { findRunningSync, type RunningSync, type SyncTally, startTally, storeTally } from "./running-sync";
import { findOtherItem, relabelDocument } from "./store-items-job";

/** Maximum that one transaction removes, so that other work need not wait long. */
export const ITEMS_PER_REMOVAL = 200;
/** Number of items from which on a source that has none any more is suspicious. */
export const MIN_SUSPICIOUS_ITEMS = 2;

export interface RemoveMissingInput {
	/** Id of a sync. */
	readonly sync: string;
	readonly now: number;
}

interface MissingItem {
	readonly key: string;
	readonly document: number;
}

/** Removes some items that a complete scan has not found. Documents that another item has stay, and show that one. */
export function removeMissingItems(
	file: JobFile,
	{ sync: id }: RemoveMissingInput,
): "more" | "done" | "ended" | "source_empty" {
	return inTransaction(file, () => {
		const sync = findRunningSync(file, id);
		if (sync === undefined) return "ended";
		const tally = startTally(sync);
		if (isSuspicious(file, sync, tally)) return "source_empty";
		const missing = listMissing(file, sync);
		for (const item of missing) removeItem(file, sync, tally, item);
		if (missing.length < ITEMS_PER_REMOVAL) reportDuplicates(file, sync, tally);
		storeTally(file, sync, tally);
		return missing.length < ITEMS_PER_REMOVAL ? "done" : "more";
	});
}

/** Checks whether a source of several items has none any more: a disk that is not mounted, a site behind a login. */
function isSuspicious(file: JobFile, sync: RunningSync, { counts }: SyncTally): boolean {
	if (sync.is_forced === 1 || counts.removed + counts.skipped + counts.failed > 0) return false;
	const found = file
		.prepare("SELECT 1 FROM source_items WHERE source = ? AND seen_sync = ? LIMIT 1")
		.get(sync.source, sync.number);
	if (found !== undefined) return false;
	const items = file.prepare("SELECT 1 FROM source_items WHERE source = ? LIMIT ?");
	return items.all(sync.source, MIN_SUSPICIOUS_ITEMS).length === MIN_SUSPICIOUS_ITEMS;
}

const listMissing = (file: JobFile, { source, number }: RunningSync): MissingItem[] =>
	file
		.prepare<MissingItem>("SELECT key, document FROM source_items WHERE source = ? AND seen_sync < ? LIMIT ?")
		.all(source, number, ITEMS_PER_REMOVAL);

/** Removes an item. Its document stays where another item has it, and shows that one. */
export function removeItem(file: JobFile, sync: RunningSync, { counts }: SyncTally, item: MissingItem): void {
	const { key, document } = item;
	file.prepare("DELETE FROM source_items WHERE source = ? AND key = ?").run(sync.source, key);
	const other = findOtherItem(file, document, key);
	if (other === undefined) removeDocument(file, document);
	else if (isShownAs(file, document, key)) {
		relabelDocument(file, document, other);
		counts.moved += 1;
		return;
	}
	counts.removed += 1;
}

const isShownAs = (file: JobFile, document: number, key: string): boolean =>
	file.prepare("SELECT 1 FROM documents WHERE number = ? AND source_key = ?").get(document, key) !==
	undefined;

/** Reports the items that this sync found first and whose document is that of another one, which is still there. */
function reportDuplicates(file: JobFile, sync: RunningSync, { addIssue }: SyncTally): void {
	const duplicates = file
		.prepare<{ key: string; source_key: string }>(
			"SELECT key, source_key FROM source_items JOIN documents ON documents.number = source_items.document" +
				" WHERE source_items.source = ? AND first_sync = ? AND source_key <> key",
		)
		.all(sync.source, sync.number);
	for (const { key, source_key } of duplicates) addIssue(toDuplicateIssue(key, source_key));
}

/** Issue of an item whose document is that of another one. */
export const toDuplicateIssue = (key: string, otherKey: string): SourceIssue => ({
	...{ key, outcome: "skipped", code: "duplicate_content" },
	message: `Its content is that of "${otherKey}", which is there already.`,
});
