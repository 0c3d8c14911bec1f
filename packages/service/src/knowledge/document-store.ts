import type { KnowledgeDocument } from "@stemma/client";
import type { EmbeddingSpace } from "@stemma/routing";
import { type DocumentUploadInput, toNewDocument } from "./ingest/new-document";
import type { FindFormat } from "./ingest/reading/document-reader";
import {
	documentNotFound,
	embeddingSpaceChanged,
	knowledgeBaseNotFound,
	originalNotStored,
	tooManyDocuments,
} from "./knowledge-errors";
import type {
	DocumentListOptions,
	DocumentRepository,
	StoredDocument,
} from "./repositories/document-repository";

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
	/**
	 * Reads a failed document again, from the file that is stored. One that has not failed stays as it is.
	 *
	 * @throws DomainError `knowledge_base_not_found`, `document_not_found`, `original_not_stored`, `embedding_space_changed`
	 */
	retryDocument(knowledgeBaseId: string, id: string): Promise<KnowledgeDocument>;
	/** @throws DomainError `knowledge_base_not_found`, `document_not_found` */
	deleteDocument(knowledgeBaseId: string, id: string): Promise<void>;
	/** Finds what a document shows; see {@link DocumentRepository.findText}. */
	readonly findText: DocumentRepository["findText"];
}

export interface DocumentStoreOptions {
	readonly repository: DocumentRepository;
	readonly now: () => number;
	readonly maxDocuments: number;
	/** Space that vectors are created in; `null`: none are created. */
	readonly space: EmbeddingSpace | null;
	/** Finds the format of files that external readers read. Default: there are none. */
	readonly findAddedFormat?: FindFormat | undefined;
}

export const createDocumentStore = ({
	repository,
	now,
	maxDocuments,
	space,
	findAddedFormat,
}: DocumentStoreOptions): DocumentStore => {
	async function getDocument(knowledgeBaseId: string, id: string): Promise<KnowledgeDocument> {
		const found = await repository.find(knowledgeBaseId, id);
		if (found === "no_knowledge_base") throw knowledgeBaseNotFound(knowledgeBaseId);
		if (found === "no_document") throw documentNotFound(id);
		return toDocument(found, knowledgeBaseId);
	}
	return {
		async addDocuments(knowledgeBaseId, uploads) {
			const documents = uploads.map((upload) => toNewDocument(upload, findAddedFormat));
			const input = { knowledgeBase: knowledgeBaseId, documents, maxDocuments, space, now: now() };
			const added = await repository.add(input);
			if (added === "no_knowledge_base") throw knowledgeBaseNotFound(knowledgeBaseId);
			if (added === "too_many") throw tooManyDocuments(maxDocuments);
			if ("pinned" in added) throw embeddingSpaceChanged(added.pinned, space);
			return added.documents.map((stored) => toDocument(stored, knowledgeBaseId));
		},
		async listDocuments(knowledgeBaseId, options) {
			const listed = await repository.list(knowledgeBaseId, options);
			if (listed === "no_knowledge_base") throw knowledgeBaseNotFound(knowledgeBaseId);
			return listed.map((stored) => toDocument(stored, knowledgeBaseId));
		},
		getDocument,
		async retryDocument(knowledgeBaseId, id) {
			const result = await repository.retry({ knowledgeBase: knowledgeBaseId, id, space, now: now() });
			if (result === "no_original") throw originalNotStored(id);
			if (typeof result === "object") throw embeddingSpaceChanged(result.pinned, space);
			return getDocument(knowledgeBaseId, id);
		},
		async deleteDocument(knowledgeBaseId, id) {
			const result = await repository.delete(knowledgeBaseId, id);
			if (result === "no_knowledge_base") throw knowledgeBaseNotFound(knowledgeBaseId);
			if (result === "no_document") throw documentNotFound(id);
		},
		findText: repository.findText,
	};
};

const toDocument = (
	{ id, created_at, updated_at, ...stored }: StoredDocument,
	knowledge_base_id: string,
): KnowledgeDocument => ({
	id,
	knowledge_base_id,
	...stored,
	created_at: new Date(created_at).toISOString(),
	updated_at: new Date(updated_at).toISOString(),
});
