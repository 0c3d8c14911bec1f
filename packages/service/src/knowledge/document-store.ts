import type { DocumentStatus, KnowledgeDocument } from "@stemma/client";
import type { EmbeddingSpace } from "@stemma/routing";
import type { Kysely, Selectable } from "kysely";
import type { Database } from "../store/database";
import { parseColumn } from "../store/json-column";
import { type DocumentUploadInput, toNewDocument } from "./ingest/new-document";
import type { AddDocumentsInput } from "./jobs/add-documents-job";
import type { DeleteDocumentInput } from "./jobs/delete-jobs";
import type { ListOptions } from "./knowledge-bases";
import {
	documentNotFound,
	embeddingSpaceChanged,
	knowledgeBaseNotFound,
	tooManyDocuments,
} from "./knowledge-errors";
import type { DocumentTable, KnowledgeTables } from "./knowledge-tables";

/** Filters of a list of documents. */
export interface DocumentListOptions extends ListOptions {
	readonly status?: DocumentStatus | undefined;
	readonly source?: string | undefined;
}

/** The documents of a workspace's knowledge bases. */
export interface DocumentStore {
	/**
	 * Takes documents into the queue: all, or none of them. They are durable when this resolves.
	 *
	 * @throws DomainError `knowledge_base_not_found`, `unsupported_format`, `too_many_documents`, `embedding_space_changed`
	 */
	addDocuments(
		knowledgeBaseId: string,
		uploads: readonly DocumentUploadInput[],
	): Promise<KnowledgeDocument[]>;
	/** Oldest first. @throws DomainError `knowledge_base_not_found` */
	listDocuments(knowledgeBaseId: string, options: DocumentListOptions): Promise<KnowledgeDocument[]>;
	/** @throws DomainError `knowledge_base_not_found`, `document_not_found` */
	getDocument(knowledgeBaseId: string, id: string): Promise<KnowledgeDocument>;
	/** @throws DomainError `knowledge_base_not_found`, `document_not_found` */
	deleteDocument(knowledgeBaseId: string, id: string): Promise<void>;
}

export interface DocumentStoreOptions {
	readonly database: Database<KnowledgeTables>;
	readonly now: () => number;
	readonly maxDocuments: number;
	/** Space that vectors are created in; `null`: none are created. */
	readonly space: EmbeddingSpace | null;
}

export function createDocumentStore({
	database,
	now,
	maxDocuments,
	space,
}: DocumentStoreOptions): DocumentStore {
	return {
		async addDocuments(knowledgeBaseId, uploads) {
			const documents = uploads.map(toNewDocument);
			const input: AddDocumentsInput = {
				knowledgeBase: knowledgeBaseId,
				documents,
				maxDocuments,
				space,
				now: now(),
			};
			const ids = await database.writeJob("addDocuments", input);
			if (ids === null) throw knowledgeBaseNotFound(knowledgeBaseId);
			if (ids === "too_many") throw tooManyDocuments(maxDocuments);
			if ("pinned" in ids) throw embeddingSpaceChanged(ids.pinned, space);
			const rows = await selectDocuments(database.read).where("documents.id", "in", ids).execute();
			const byId = new Map(rows.map((row) => [row.id, toDocument(row, knowledgeBaseId)]));
			return ids.flatMap((id) => byId.get(id) ?? []);
		},
		async listDocuments(knowledgeBaseId, { limit, after = "", status, source }) {
			const number = await getKnowledgeBaseNumber(database.read, knowledgeBaseId);
			let query = selectDocuments(database.read)
				.where("knowledge_base", "=", number)
				.where("documents.id", ">", after);
			if (status !== undefined) query = query.where("status", "=", status);
			if (source !== undefined) query = query.where("source", "=", source);
			const rows = await query.orderBy("documents.id").limit(limit).execute();
			return rows.map((row) => toDocument(row, knowledgeBaseId));
		},
		async getDocument(knowledgeBaseId, id) {
			const number = await getKnowledgeBaseNumber(database.read, knowledgeBaseId);
			const row = await selectDocuments(database.read)
				.where("documents.id", "=", id)
				.where("knowledge_base", "=", number)
				.executeTakeFirst();
			if (row === undefined) throw documentNotFound(id);
			return toDocument(row, knowledgeBaseId);
		},
		async deleteDocument(knowledgeBaseId, id) {
			const input: DeleteDocumentInput = { id, knowledgeBase: knowledgeBaseId };
			const result = await database.writeJob("deleteDocument", input);
			if (result === "no_knowledge_base") throw knowledgeBaseNotFound(knowledgeBaseId);
			if (result === "no_document") throw documentNotFound(id);
		},
	};
}

const selectDocuments = (database: Kysely<KnowledgeTables>) => database.selectFrom("documents").selectAll();

async function getKnowledgeBaseNumber(database: Kysely<KnowledgeTables>, id: string): Promise<number> {
	const row = await database
		.selectFrom("knowledge_bases")
		.select("number")
		.where("id", "=", id)
		.where("deleted_at", "is", null)
		.executeTakeFirst();
	if (row === undefined) throw knowledgeBaseNotFound(id);
	return row.number;
}

const toDocument = (row: Selectable<DocumentTable>, knowledgeBaseId: string): KnowledgeDocument => ({
	id: row.id,
	knowledge_base_id: knowledgeBaseId,
	title: row.title,
	source: row.source,
	format: row.format,
	status: row.status,
	error: row.error === null ? null : parseColumn(row.error),
	size_bytes: row.size_bytes,
	content_sha256: row.content_sha256,
	passage_count: row.passage_count,
	metadata: parseColumn(row.metadata),
	created_at: new Date(row.created_at).toISOString(),
	updated_at: new Date(row.updated_at).toISOString(),
});
