import type { SourceIssue } from "@stemma/client";
import type { NewDocument } from "../../../knowledge/repositories/document-repository";
import type {
	ScannedItem,
	StoreItemsInput,
	StoreItemsResult,
} from "../../../sources/repositories/sync-repository";
import { inTransaction } from "../../in-transaction";
import type { JobFile } from "../../job-file";
import { toDocumentContext } from "../knowledge/jobs/add-documents-job";
import {
	type DocumentContext,
	findDocumentRoom,
	insertDocument,
	replaceDocument,
} from "../knowledge/jobs/document-rows";
import { removeDocument } from "../knowledge/jobs/sweep-job";
import { findRunningSync, type RunningSync, type SyncTally, startTally, storeTally } from "./running-sync";

/** Stores what a scan has found, with documents and counts, in one transaction. Documents that would be too many are left out. */
export function storeSourceItems(file: JobFile, { sync: id, ...input }: StoreItemsInput): StoreItemsResult {
	return inTransaction(file, () => {
		const sync = findRunningSync(file, id);
		return sync === undefined ? "ended" : storeItems(file, sync, input);
	});
}

/** Stores items of a sync, in the transaction that has found it. */
export function storeItems(
	file: JobFile,
	sync: RunningSync,
	{ items, maxDocuments, space, now }: Omit<StoreItemsInput, "sync">,
): StoreItemsResult {
	const context = toDocumentContext(file, sync.knowledgeBase, { space, now });
	if ("pinned" in context) return context;
	const tally = startTally(sync);
	const room = { documents: Math.max(0, findDocumentRoom(file, maxDocuments, items.length)) };
	for (const item of items) storeItem({ file, sync, context, tally, room }, item);
	storeTally(file, sync, tally);
	return room.documents < 0 ? "too_many" : "stored";
}

interface Storing {
	readonly file: JobFile;
	readonly sync: RunningSync;
	readonly context: DocumentContext;
	readonly tally: SyncTally;
	/** Number of documents that may still be added; negative once there was one that may not. */
	readonly room: { documents: number };
}

/** Checks whether one more document may be added, and counts it. */
function takeRoom({ room }: Storing): boolean {
	room.documents -= 1;
	return room.documents >= 0;
}

/** Item that has a document. */
export interface KnownRow {
	readonly document: number;
	readonly counted_sync: number;
	readonly content_sha256: string;
	readonly format: string;
	readonly given_title: string | null;
	readonly source_key: string;
}

function storeItem(storing: Storing, item: ScannedItem): void {
	const known = findExisting(storing, item.key);
	if (item.kind === "issue") storeIssue(storing, item, known);
	else if (item.kind === "unchanged") markSeen(storing, item.key, known, "unchanged");
	else storeContent(storing, item, known);
}

const findExisting = ({ file, sync }: Storing, key: string): KnownRow | undefined =>
	file
		.prepare<KnownRow>(
			"SELECT source_items.document, counted_sync, content_sha256, format, given_title, source_key" +
				" FROM source_items JOIN documents ON documents.number = source_items.document" +
				" WHERE source_items.source = ? AND key = ?",
		)
		.get(sync.source, key);

/** An item that failed keeps its document; one that is skipped has none from now on. */
function storeIssue({ file, sync, tally }: Storing, issue: SourceIssue, known: KnownRow | undefined): void {
	tally.addIssue(issue);
	if (known !== undefined && issue.outcome === "failed")
		file
			.prepare("UPDATE source_items SET seen_sync = ? WHERE source = ? AND key = ?")
			.run(sync.number, sync.source, issue.key);
}

function markSeen(
	{ file, sync, tally }: Storing,
	key: string,
	known: KnownRow | undefined,
	outcome: "unchanged" | "changed",
): void {
	if (known === undefined) return;
	if (known.counted_sync !== sync.number) tally.counts[outcome] += 1;
	file
		.prepare("UPDATE source_items SET seen_sync = ?, counted_sync = ? WHERE source = ? AND key = ?")
		.run(sync.number, sync.number, sync.source, key);
}

/** Finding with content. */
export type ContentItem = Extract<ScannedItem, { kind: "content" }>;

function storeContent(storing: Storing, item: ContentItem, known: KnownRow | undefined): void {
	const { file, sync, tally } = storing;
	const { key, version, document } = item;
	tally.addBytes(document.content);
	if (known === undefined) {
		const duplicate = findDuplicate(storing, document);
		if (duplicate === undefined && !takeRoom(storing)) return;
		// Whether it has moved is known at the end of the scan.
		insertItem(
			storing,
			item,
			duplicate ?? insertDocument(file, storing.context, document, toOrigin(storing, key)),
		);
		if (duplicate === undefined) tally.counts.added += 1;
		return;
	}
	const isSame = isSameContent(known, document);
	const replaced = isSame ? known.document : replaceContent(storing, item, known);
	if (replaced === undefined) return;
	if (!isSame) setDocument(storing, key, replaced);
	file
		.prepare("UPDATE source_items SET version = ?, label = ? WHERE source = ? AND key = ?")
		.run(version, document.source, sync.source, key);
	markSeen(storing, key, known, isSame ? "unchanged" : "changed");
}

/** Checks whether an item has the content that its document has. */
export const isSameContent = (known: KnownRow, { sha256, format, givenTitle }: NewDocument): boolean =>
	known.content_sha256 === sha256 && known.format === format && known.given_title === givenTitle;

/** @returns the number of the document that the item has from now on; `undefined`: one more would be too many. */
function replaceContent(
	storing: Storing,
	{ key, document }: ContentItem,
	known: KnownRow,
): number | undefined {
	const { file, context } = storing;
	const duplicate = findDuplicate(storing, document);
	const other = findOtherItem(file, known.document, key);
	if (other === undefined) {
		if (duplicate === undefined) replaceDocument(file, context, known.document, document);
		else removeDocument(file, known.document);
		return duplicate ?? known.document;
	}
	if (duplicate === undefined && !takeRoom(storing)) return undefined;
	if (known.source_key === key) relabelDocument(file, known.document, other);
	return duplicate ?? insertDocument(file, context, document, toOrigin(storing, key));
}

const toOrigin = ({ sync }: Storing, key: string) => ({ source: sync.source, key });

/** Finds a document of the source that has a content already. */
function findDuplicate(
	{ file, sync }: Storing,
	{ sha256, format, givenTitle }: NewDocument,
): number | undefined {
	const row = file
		.prepare<{ number: number }>(
			"SELECT number FROM documents WHERE source_number = ? AND content_sha256 = ? AND format = ? AND given_title IS ?",
		)
		.get(sync.source, sha256, format, givenTitle);
	return row?.number;
}

/** Item that a document is of. */
export interface ItemLabel {
	readonly key: string;
	readonly label: string;
}

/** Finds another item that has the same document. */
export const findOtherItem = (file: JobFile, document: number, key: string): ItemLabel | undefined =>
	file
		.prepare<ItemLabel>(
			"SELECT key, label FROM source_items WHERE document = ? AND key <> ? ORDER BY first_sync DESC LIMIT 1",
		)
		.get(document, key);

/** Lets a document show another of its items. */
export const relabelDocument = (file: JobFile, document: number, { key, label }: ItemLabel): void => {
	file.prepare("UPDATE documents SET source_key = ?, source = ? WHERE number = ?").run(key, label, document);
};

function setDocument({ file, sync }: Storing, key: string, document: number): void {
	file
		.prepare("UPDATE source_items SET document = ? WHERE source = ? AND key = ?")
		.run(document, sync.source, key);
}

/** Inserts an item, or replaces one whose document was deleted. */
function insertItem({ file, sync }: Storing, { key, version, document }: ContentItem, number: number): void {
	file
		.prepare(
			"INSERT OR REPLACE INTO source_items (source, key, version, label, document, first_sync, seen_sync, counted_sync)" +
				" VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		)
		.run(sync.source, key, version, document.source, number, sync.number, sync.number, sync.number);
}
