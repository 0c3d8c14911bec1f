import { type Kysely, sql } from "kysely";
import { isPinnedTo, type PinnedSpace } from "../../../../knowledge/embeddings/pinned-space";
import type { AddDocumentsInput, NewDocument } from "../../../../knowledge/repositories/document-repository";
import {
	type AddedDocuments,
	type ExistingDocument,
	needsReading,
} from "../../../sqlite/knowledge/jobs/add-documents-job";
import type { DocumentContext } from "../../../sqlite/knowledge/jobs/document-rows";
import type { WorkspaceTables } from "../../../workspace-tables";
import { ownRows } from "../../own-rows-plugin";
import type { PostgresJob } from "../../postgres-job";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { type CompressedOriginals, compressOriginals } from "../compressed-originals";
import { findKnowledgeBase } from "../find-knowledge-base";
import { isMoving } from "../reindex/reindex-rows";
import {
	type AddedDocument,
	findDocumentRoom,
	insertDocuments,
	replaceDocument,
	type StoringContext,
} from "./document-rows";
import { readPin } from "./embedding-pins";

/** Finds out how documents are stored now, or the space that the knowledge base is pinned to in place of today's. */
export async function toDocumentContext(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
	{ space, now }: Pick<AddDocumentsInput, "space" | "now">,
): Promise<DocumentContext | { readonly pinned: PinnedSpace }> {
	const [isMovingNow, pin] = await Promise.all([
		isMoving(transaction, knowledgeBase),
		readPin(transaction, knowledgeBase),
	]);
	if (isMovingNow) return { knowledgeBase, hasVectors: false, now };
	if (pin && !(space && isPinnedTo(pin, space))) return { pinned: pin };
	return { knowledgeBase, hasVectors: space !== null && pin !== null, now };
}

const SAVEPOINT = "documents_added";

/** Puts documents into the queue: all of them, or none. */
export const addDocuments: PostgresJob<AddDocumentsInput, AddedDocuments> = Object.assign(
	(transaction: WorkspaceTransaction, input: AddDocumentsInput) => addCompressed(transaction, input),
	{
		async prepare(_read: Kysely<WorkspaceTables>, input: AddDocumentsInput) {
			const originals = await compressOriginals(input.documents.map(({ content }) => content));
			return (transaction: WorkspaceTransaction) => addCompressed(transaction, input, originals);
		},
	},
);

async function addCompressed(
	transaction: WorkspaceTransaction,
	input: AddDocumentsInput,
	originals?: CompressedOriginals,
): Promise<AddedDocuments> {
	const knowledgeBase = await findKnowledgeBase(transaction, input.knowledgeBase);
	if (knowledgeBase === undefined) return "no_knowledge_base";
	const context = await toDocumentContext(transaction, knowledgeBase, input);
	if ("pinned" in context) return context;
	await sql`savepoint ${sql.raw(SAVEPOINT)}`.execute(transaction);
	const ids: string[] = [];
	const storing = { ...context, ...(originals && { originals }) };
	for (const group of splitAtRepeats(input.documents))
		ids.push(...(await addGroup(transaction, storing, group)));
	if ((await findDocumentRoom(transaction, input.maxDocuments, 0)) >= 0) return { ids };
	await sql`rollback to savepoint ${sql.raw(SAVEPOINT)}`.execute(transaction);
	return "too_many";
}

/** Key that an upload has in common with the one that it replaces: its source, or else its content. */
const toUploadKey = ({ source, content_sha256: sha256 }: UploadIdentity): string =>
	source === null ? `content ${sha256}` : `source ${source}`;

type UploadIdentity = Pick<ExistingDocument, "content_sha256"> & { readonly source: string | null };

const identify = ({ source, sha256 }: NewDocument): string => toUploadKey({ source, content_sha256: sha256 });

/** Splits documents so that none of a group replaces another one of it. */
function splitAtRepeats(documents: readonly NewDocument[]): readonly (readonly NewDocument[])[] {
	const groups: NewDocument[][] = [];
	let seen = new Set<string>();
	for (const document of documents) {
		const group = seen.has(identify(document)) ? undefined : groups.at(-1);
		if (group === undefined) {
			groups.push([document]);
			seen = new Set();
		} else group.push(document);
		seen.add(identify(document));
	}
	return groups;
}

/** Adds documents of which none replaces another one. @returns their ids. */
async function addGroup(
	transaction: WorkspaceTransaction,
	context: StoringContext,
	documents: readonly NewDocument[],
): Promise<readonly string[]> {
	const existing = await findExisting(transaction, context.knowledgeBase, documents);
	const ids: string[] = [];
	let added: AddedDocument[] = [];
	// In their order, as they are read.
	async function insertAdded(): Promise<void> {
		await insertDocuments(transaction, context, added);
		added = [];
	}
	for (const document of documents) {
		const known = existing.get(identify(document));
		ids.push(known?.id ?? document.id);
		if (known === undefined) added.push({ document });
		else {
			await insertAdded();
			await updateDocument(transaction, context, known, document);
		}
	}
	await insertAdded();
	return ids;
}

async function updateDocument(
	transaction: WorkspaceTransaction,
	context: StoringContext,
	existing: ExistingDocument,
	document: NewDocument,
): Promise<void> {
	if (document.metadata !== null)
		await updateMetadata(transaction, existing.number, document.metadata, context.now);
	if (needsReading(existing, document))
		await replaceDocument(transaction, context, existing.number, document);
}

/** Attachments have the metadata of their mail. */
async function updateMetadata(
	transaction: WorkspaceTransaction,
	number: number,
	metadata: string,
	now: number,
): Promise<void> {
	await sql`
		with recursive family (number) as (
			values (${number}::bigint)
			union all
			select documents.number from documents join family on documents.parent = family.number where ${ownRows("documents")}
		)
		update documents set metadata = ${metadata}, updated_at = ${now}
		where ${ownRows("documents")} and number in (select number from family)`.execute(transaction);
}

/** Finds the uploads that documents replace, by identity: never one that a source brought in, nor an attachment. */
async function findExisting(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
	documents: readonly NewDocument[],
): Promise<ReadonlyMap<string, ExistingDocument>> {
	const sources = documents.flatMap(({ source }) => source ?? []);
	const hashes = documents.flatMap(({ source, sha256 }) => (source === null ? [sha256] : []));
	const query = transaction
		.selectFrom("documents")
		.select(["number", "id", "source", "content_sha256", "given_title", "format", "status"])
		.select(["original_content", "text_content"])
		.where("knowledge_base", "=", knowledgeBase)
		.where("source_number", "is", null)
		.where("parent", "is", null);
	const found = await Promise.all([
		query.where("source", "=", sql<string>`any(${sources}::text[])`).execute(),
		query
			.where("content_sha256", "=", sql<string>`any(${hashes}::text[])`)
			.where("source", "is", null)
			.execute(),
	]);
	return new Map(found.flat().map((document) => [toUploadKey(document), document]));
}
