import type { RemovePushedInput, StorePushedInput } from "../../../sources/repositories/push-repository";
import type { StoreItemsResult } from "../../../sources/repositories/sync-repository";
import { inTransaction } from "../../in-transaction";
import type { JobFile } from "../../job-file";
import { MAX_KEPT_SYNCS, NO_COUNTS } from "../../repositories/sources/sync-report";
import { removeItem } from "./remove-items-job";
import { type RunningSync, startTally, storeTally } from "./running-sync";
import { storeItems } from "./store-items-job";

/** Time without a change after which the next one begins another report, in milliseconds. */
export const REPORT_GAP_MS = 10 * 60_000;

/** Stores an item that was pushed, with its document, in one transaction. */
export function storePushedItem(
	file: JobFile,
	{ key, version, document, maxDocuments, space, ...push }: StorePushedInput,
): StoreItemsResult {
	return inTransaction(file, () => {
		const sync = openReport(file, push);
		if (sync === undefined) return "ended";
		const items = [{ kind: "content", key, version, document }] as const;
		return storeItems(file, sync, { items, maxDocuments, space, now: push.now });
	});
}

/** Removes items that were pushed, with their documents, in one transaction. */
export function removePushedItems(file: JobFile, { keys, ...push }: RemovePushedInput): boolean {
	return inTransaction(file, () => {
		const sync = openReport(file, push);
		if (sync === undefined) return false;
		const tally = startTally(sync);
		const find = file.prepare<{ document: number }>(
			"SELECT document FROM source_items WHERE source = ? AND key = ?",
		);
		for (const key of keys) {
			const item = find.get(sync.source, key);
			if (item !== undefined) removeItem(file, sync, tally, { key, document: item.document });
		}
		storeTally(file, sync, tally);
		return true;
	});
}

/** Report that a change is counted in. */
export type PushReport = Pick<StorePushedInput, "source" | "sync" | "now">;

/** Continues the newest report of a source, or begins one; `undefined` where the source or its knowledge base is deleted. */
function openReport(file: JobFile, { source: id, sync, now }: PushReport): RunningSync | undefined {
	const source = file
		.prepare<{ number: number; knowledgeBase: number }>(
			"SELECT sources.number, knowledge_base AS knowledgeBase FROM sources" +
				" JOIN knowledge_bases ON knowledge_bases.number = sources.knowledge_base" +
				" WHERE sources.id = ? AND sources.deleted_at IS NULL AND knowledge_bases.deleted_at IS NULL",
		)
		.get(id);
	if (source === undefined) return undefined;
	const newest = file
		.prepare<Omit<RunningSync, "knowledgeBase">>(
			"UPDATE source_syncs SET ended_at = ? WHERE number = (SELECT max(number) FROM source_syncs WHERE source = ?)" +
				" AND status = 'succeeded' AND ended_at > ? RETURNING number, source, is_forced, counts, bytes_read, issues",
		)
		.get(now, source.number, now - REPORT_GAP_MS);
	const report = newest ?? insertReport(file, { source: source.number, sync, now });
	return { ...report, knowledgeBase: source.knowledgeBase };
}

function insertReport(
	file: JobFile,
	{ source, sync, now }: { readonly source: number; readonly sync: string; readonly now: number },
): Omit<RunningSync, "knowledgeBase"> {
	const counts = JSON.stringify(NO_COUNTS);
	const { lastInsertRowid } = file
		.prepare(
			"INSERT INTO source_syncs (id, source, status, is_forced, counts, bytes_read, issues, created_at, started_at, ended_at)" +
				" VALUES (?, ?, 'succeeded', 0, ?, 0, '[]', ?, ?, ?)",
		)
		.run(sync, source, counts, now, now, now);
	file
		.prepare(
			"DELETE FROM source_syncs WHERE source = ? AND number NOT IN" +
				" (SELECT number FROM source_syncs WHERE source = ? ORDER BY number DESC LIMIT ?)",
		)
		.run(source, source, MAX_KEPT_SYNCS);
	return { number: Number(lastInsertRowid), source, is_forced: 0, counts, bytes_read: 0, issues: "[]" };
}
