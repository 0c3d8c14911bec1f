import type { Updateable } from "kysely";
import type { NewDocument } from "../../../knowledge/repositories/document-repository";
import type { DocumentContext, DocumentOrigin } from "../../sqlite/knowledge/jobs/document-rows";
import type { RunningSync, SyncTally } from "../../sqlite/sources/running-sync";
import type { SourceItemTable } from "../../sqlite/sources/source-tables";
import type { ContentItem } from "../../sqlite/sources/store-items-job";
import type { WorkspaceTransaction } from "../workspace-transaction";

/** Items of a sync, while they are stored. */
export interface Storing {
	readonly transaction: WorkspaceTransaction;
	readonly sync: RunningSync;
	readonly context: DocumentContext;
	readonly tally: SyncTally;
	/** Number of documents that may still be added; negative once there was one that may not. */
	readonly room: { documents: number };
}

/** Checks whether one more document may be added, and counts it. */
export function takeRoom({ room }: Storing): boolean {
	room.documents -= 1;
	return room.documents >= 0;
}

export const toOrigin = ({ sync }: Storing, key: string): DocumentOrigin => ({ source: sync.source, key });

/** Finds a document of the source that has a content already. */
export async function findDuplicate(
	{ transaction, sync }: Storing,
	{ sha256, format, givenTitle }: NewDocument,
): Promise<number | undefined> {
	const row = await transaction
		.selectFrom("documents")
		.select("number")
		.where("source_number", "=", sync.source)
		.where("content_sha256", "=", sha256)
		.where("format", "=", format)
		.where("given_title", "is not distinct from", givenTitle)
		.orderBy("number")
		.limit(1)
		.executeTakeFirst();
	return row?.number;
}

/** Inserts an item, or replaces one whose document was deleted. */
export async function insertItem(
	{ transaction, sync }: Storing,
	{ key, version, document }: ContentItem,
	number: number,
): Promise<void> {
	await transaction
		.deleteFrom("source_items")
		.where("source", "=", sync.source)
		.where("key", "=", key)
		.execute();
	await transaction
		.insertInto("source_items")
		.values({
			...{ source: sync.source, key, version, label: document.source, document: number },
			...{ first_sync: sync.number, seen_sync: sync.number, counted_sync: sync.number },
		})
		.execute();
}

/** Updates an item of the source. */
export async function updateItem(
	{ transaction, sync }: Storing,
	key: string,
	change: Updateable<SourceItemTable>,
): Promise<void> {
	await transaction
		.updateTable("source_items")
		.set(change)
		.where("source", "=", sync.source)
		.where("key", "=", key)
		.execute();
}
