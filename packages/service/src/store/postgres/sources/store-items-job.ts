import type { SourceIssue } from "@stemma/client";
import type {
	ScannedItem,
	StoreItemsInput,
	StoreItemsResult,
} from "../../../sources/repositories/sync-repository";
import { type RunningSync, startTally } from "../../sqlite/sources/running-sync";
import { type ContentItem, isSameContent, type KnownRow } from "../../sqlite/sources/store-items-job";
import { toDocumentContext } from "../knowledge/jobs/add-documents-job";
import { findDocumentRoom, insertDocument, replaceDocument } from "../knowledge/jobs/document-rows";
import { removeDocument } from "../knowledge/jobs/remove-document";
import type { PostgresJob } from "../postgres-job";
import type { WorkspaceTransaction } from "../workspace-transaction";
import { findRunningSync, storeTally } from "./running-sync";
import { findOtherItem, relabelDocument } from "./source-items";
import { findDuplicate, insertItem, type Storing, takeRoom, toOrigin, updateItem } from "./storing-items";

/** Stores what a scan has found, with documents and counts, in one transaction. Documents that would be too many are left out. */
export const storeSourceItems: PostgresJob<StoreItemsInput, StoreItemsResult> = async (
	transaction,
	{ sync: id, ...input },
) => {
	const sync = await findRunningSync(transaction, id);
	return sync === undefined ? "ended" : storeItems(transaction, sync, input);
};

/** Stores items of a sync, in the transaction that has found it. */
export async function storeItems(
	transaction: WorkspaceTransaction,
	sync: RunningSync,
	{ items, maxDocuments, space, now }: Omit<StoreItemsInput, "sync">,
): Promise<StoreItemsResult> {
	const context = await toDocumentContext(transaction, sync.knowledgeBase, { space, now });
	if ("pinned" in context) return context;
	const tally = startTally(sync);
	const documents = await findDocumentRoom(transaction, maxDocuments, items.length);
	const room = { documents: Math.max(0, documents) };
	for (const item of items) await storeItem({ transaction, sync, context, tally, room }, item);
	await storeTally(transaction, sync, tally);
	return room.documents < 0 ? "too_many" : "stored";
}

async function storeItem(storing: Storing, item: ScannedItem): Promise<void> {
	const known = await findExisting(storing, item.key);
	if (item.kind === "issue") await storeIssue(storing, item, known);
	else if (item.kind === "unchanged") await markSeen(storing, item.key, known, "unchanged");
	else if (known === undefined) await storeNew(storing, item);
	else await storeKnown(storing, item, known);
}

async function findExisting({ transaction, sync }: Storing, key: string): Promise<KnownRow | undefined> {
	const row = await transaction
		.selectFrom("source_items")
		.innerJoin("documents", "documents.number", "source_items.document")
		.select(["source_items.document", "counted_sync", "content_sha256", "format", "given_title"])
		.select("source_key")
		.where("source_items.source", "=", sync.source)
		.where("key", "=", key)
		.executeTakeFirst();
	return row && { ...row, source_key: row.source_key ?? "" };
}

/** An item that failed keeps its document; one that is skipped has none from now on. */
async function storeIssue(storing: Storing, issue: SourceIssue, known: KnownRow | undefined): Promise<void> {
	const { sync, tally } = storing;
	tally.addIssue(issue);
	if (known !== undefined && issue.outcome === "failed")
		await updateItem(storing, issue.key, { seen_sync: sync.number });
}

async function markSeen(
	storing: Storing,
	key: string,
	known: KnownRow | undefined,
	outcome: "unchanged" | "changed",
): Promise<void> {
	if (known === undefined) return;
	const { sync, tally } = storing;
	if (known.counted_sync !== sync.number) tally.counts[outcome] += 1;
	await updateItem(storing, key, { seen_sync: sync.number, counted_sync: sync.number });
}

/** Stores an item that the source did not have. Whether its document has moved is known at the end of the scan. */
async function storeNew(storing: Storing, item: ContentItem): Promise<void> {
	const { transaction, context, tally } = storing;
	const { key, document } = item;
	tally.addBytes(document.content);
	const duplicate = await findDuplicate(storing, document);
	if (duplicate === undefined && !takeRoom(storing)) return;
	const number = duplicate ?? (await insertDocument(transaction, context, document, toOrigin(storing, key)));
	await insertItem(storing, item, number);
	if (duplicate === undefined) tally.counts.added += 1;
}

async function storeKnown(storing: Storing, item: ContentItem, known: KnownRow): Promise<void> {
	const { key, version, document } = item;
	storing.tally.addBytes(document.content);
	const isSame = isSameContent(known, document);
	const replaced = isSame ? known.document : await replaceContent(storing, item, known);
	if (replaced === undefined) return;
	await updateItem(storing, key, { document: replaced, version, label: document.source });
	await markSeen(storing, key, known, isSame ? "unchanged" : "changed");
}

/** @returns the number of the document that the item has from now on; `undefined`: one more would be too many. */
async function replaceContent(
	storing: Storing,
	{ key, document }: ContentItem,
	known: KnownRow,
): Promise<number | undefined> {
	const { transaction, context } = storing;
	const duplicate = await findDuplicate(storing, document);
	const other = await findOtherItem(transaction, known.document, key);
	if (other === undefined) {
		if (duplicate === undefined) await replaceDocument(transaction, context, known.document, document);
		else await removeDocument(transaction, known.document);
		return duplicate ?? known.document;
	}
	if (duplicate === undefined && !takeRoom(storing)) return undefined;
	if (known.source_key === key) await relabelDocument(transaction, known.document, other);
	return duplicate ?? insertDocument(transaction, context, document, toOrigin(storing, key));
}
