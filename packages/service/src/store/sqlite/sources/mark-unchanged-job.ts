import { inTransaction } from "../../in-transaction";
import type { JobFile } from "../../job-file";
import { findRunningSync, startTally, storeTally } from "./running-sync";

/** Maximum that one transaction marks, so that other work need not wait long. */
export const ITEMS_PER_STEP = 5_000;

export interface MarkUnchangedInput {
	/** Id of a sync. */
	readonly sync: string;
}

/** Marks some items of a source as found by its running sync, and counts them as unchanged. */
export function markUnchangedItems(
	file: JobFile,
	{ sync: id }: MarkUnchangedInput,
): "more" | "done" | "ended" {
	return inTransaction(file, () => {
		const sync = findRunningSync(file, id);
		if (sync === undefined) return "ended";
		const tally = startTally(sync);
		const marked = file
			.prepare<{ key: string }>(
				"UPDATE source_items SET seen_sync = ?, counted_sync = ? WHERE source = ? AND key IN" +
					" (SELECT key FROM source_items WHERE source = ? AND counted_sync < ? LIMIT ?) RETURNING key",
			)
			.all(sync.number, sync.number, sync.source, sync.source, sync.number, ITEMS_PER_STEP);
		tally.counts.unchanged += marked.length;
		storeTally(file, sync, tally);
		return marked.length < ITEMS_PER_STEP ? "done" : "more";
	});
}
