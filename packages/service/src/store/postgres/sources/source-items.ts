import type { RunningSync, SyncTally } from "../../sqlite/sources/running-sync";
import type { ItemLabel } from "../../sqlite/sources/store-items-job";
import { removeDocument } from "../knowledge/jobs/remove-document";
import type { WorkspaceTransaction } from "../workspace-transaction";

/** Item of a source with its document. */
export interface StoredItem {
	readonly key: string;
	/** A number. */
	readonly document: number;
}

/** Finds another item that has the same document. */
export const findOtherItem = (
	transaction: WorkspaceTransaction,
	document: number,
	key: string,
): Promise<ItemLabel | undefined> =>
	transaction
		.selectFrom("source_items")
		.select(["key", "label"])
		.where("document", "=", document)
		.where("key", "!=", key)
		.orderBy("first_sync", "desc")
		.limit(1)
		.executeTakeFirst();

/** Lets a document show another of its items. */
export async function relabelDocument(
	transaction: WorkspaceTransaction,
	document: number,
	{ key, label }: ItemLabel,
): Promise<void> {
	await transaction
		.updateTable("documents")
		.set({ source_key: key, source: label })
		.where("number", "=", document)
		.execute();
}

/** Removes an item. Its document stays where another item has it, and shows that one. */
export async function removeItem(
	transaction: WorkspaceTransaction,
	sync: RunningSync,
	{ counts }: SyncTally,
	{ key, document }: StoredItem,
): Promise<void> {
	await transaction
		.deleteFrom("source_items")
		.where("source", "=", sync.source)
		.where("key", "=", key)
		.execute();
	const other = await findOtherItem(transaction, document, key);
	if (other === undefined) await removeDocument(transaction, document);
	else if (await isShownAs(transaction, document, key)) {
		await relabelDocument(transaction, document, other);
		counts.moved += 1;
		return;
	}
	counts.removed += 1;
}

async function isShownAs(transaction: WorkspaceTransaction, document: number, key: string): Promise<boolean> {
	const row = await transaction
		.selectFrom("documents")
		.select("number")
		.where("number", "=", document)
		.where("source_key", "=", key)
		.executeTakeFirst();
	return row !== undefined;
}
