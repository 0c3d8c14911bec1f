import type { RemovePushedInput, StorePushedInput } from "../../../sources/repositories/push-repository";
import type { StoreItemsResult } from "../../../sources/repositories/sync-repository";
import { MAX_KEPT_SYNCS, NO_COUNTS } from "../../repositories/sources/sync-report";
import { type PushReport, REPORT_GAP_MS } from "../../sqlite/sources/push-items-job";
import { type RunningSync, startTally } from "../../sqlite/sources/running-sync";
import type { PostgresJob } from "../postgres-job";
import type { WorkspaceTransaction } from "../workspace-transaction";
import { storeTally } from "./running-sync";
import { removeItem } from "./source-items";
import { storeItems } from "./store-items-job";

/** Stores an item that was pushed, with its document, in one transaction. */
export const storePushedItem: PostgresJob<StorePushedInput, StoreItemsResult> = async (
	transaction,
	{ key, version, document, maxDocuments, space, ...push },
) => {
	const sync = await openReport(transaction, push);
	if (sync === undefined) return "ended";
	const items = [{ kind: "content", key, version, document }] as const;
	return storeItems(transaction, sync, { items, maxDocuments, space, now: push.now });
};

/** Removes items that were pushed, with their documents, in one transaction. */
export const removePushedItems: PostgresJob<RemovePushedInput, boolean> = async (
	transaction,
	{ keys, ...push },
) => {
	const sync = await openReport(transaction, push);
	if (sync === undefined) return false;
	const tally = startTally(sync);
	for (const key of keys) {
		const item = await transaction
			.selectFrom("source_items")
			.select(["key", "document"])
			.where("source", "=", sync.source)
			.where("key", "=", key)
			.executeTakeFirst();
		if (item !== undefined) await removeItem(transaction, sync, tally, item);
	}
	await storeTally(transaction, sync, tally);
	return true;
};

/** Continues the newest report of a source, or begins one; `undefined` where the source or its knowledge base is deleted. */
async function openReport(
	transaction: WorkspaceTransaction,
	{ source: id, sync, now }: PushReport,
): Promise<RunningSync | undefined> {
	const source = await transaction
		.selectFrom("sources")
		.innerJoin("knowledge_bases", "knowledge_bases.number", "sources.knowledge_base")
		.select(["sources.number", "knowledge_base as knowledgeBase"])
		.where("sources.id", "=", id)
		.where("sources.deleted_at", "is", null)
		.where("knowledge_bases.deleted_at", "is", null)
		.executeTakeFirst();
	if (source === undefined) return undefined;
	const newest = await transaction
		.updateTable("source_syncs")
		.set({ ended_at: now })
		.where("number", "=", (query) =>
			query
				.selectFrom("source_syncs as others")
				.select(({ fn }) => fn.max("others.number").as("newest"))
				.where("others.source", "=", source.number),
		)
		.where("status", "=", "succeeded")
		.where("ended_at", ">", now - REPORT_GAP_MS)
		.returning(["number", "source", "is_forced", "counts", "bytes_read", "issues"])
		.executeTakeFirst();
	const report = newest ?? (await insertReport(transaction, { source: source.number, sync, now }));
	return { ...report, knowledgeBase: source.knowledgeBase };
}

async function insertReport(
	transaction: WorkspaceTransaction,
	{ source, sync, now }: { readonly source: number; readonly sync: string; readonly now: number },
): Promise<Omit<RunningSync, "knowledgeBase">> {
	const report = await transaction
		.insertInto("source_syncs")
		.values({
			...{ id: sync, source, status: "succeeded", is_forced: 0, error: null, issues: "[]" },
			...{ counts: JSON.stringify(NO_COUNTS), bytes_read: 0 },
			...{ created_at: now, started_at: now, ended_at: now },
		})
		.returning(["number", "source", "is_forced", "counts", "bytes_read", "issues"])
		.executeTakeFirstOrThrow();
	await transaction
		.deleteFrom("source_syncs")
		.where("source", "=", source)
		.where("number", "not in", (query) =>
			query
				.selectFrom("source_syncs as others")
				.select("others.number")
				.where("others.source", "=", source)
				.orderBy("others.number", "desc")
				.limit(MAX_KEPT_SYNCS),
		)
		.execute();
	return report;
}
