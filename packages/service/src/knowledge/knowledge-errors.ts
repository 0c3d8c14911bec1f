import { quote } from "@stemma/core/internal";
import { READABLE_FORMATS } from "@stemma/documents";
import type { EmbeddingSpace } from "@stemma/routing";
import { DomainError } from "../errors/domain-error";
import type { PinnedSpace } from "./embeddings/pinned-space";
import { describeSpaceChange, toSpaceDetails } from "./embeddings/space-change";

/** Error of a knowledge base that does not exist. */
export const knowledgeBaseNotFound = (id: string, param?: string): DomainError =>
	new DomainError("knowledge_base_not_found", `There is no knowledge base ${quote(id)}.`, {
		hint: "List them with GET /v1/knowledge-bases.",
		param,
	});

export const documentNotFound = (id: string): DomainError =>
	new DomainError("document_not_found", `There is no document ${quote(id)} in this knowledge base.`, {
		hint: "List its documents with GET /v1/knowledge-bases/<id>/documents.",
	});

export const tooManyDocuments = (max: number): DomainError =>
	new DomainError("too_many_documents", `The workspace may have ${max.toLocaleString("en")} documents.`, {
		hint: "Nothing of this upload was stored. Delete documents that are not needed, or raise limits.documents.",
		details: { documents: max },
	});

export const tooManySearches = (max: number): DomainError =>
	new DomainError("too_many_waiting", `${max} searches of this workspace are running or waiting.`, {
		hint: "Send fewer at once and try again later, or ask the operator to raise limits.concurrent_searches.",
		retryAfterSeconds: 1,
	});

/** @param configured - `null`: no embedding model is. */
export function embeddingSpaceChanged(pinned: PinnedSpace, configured: EmbeddingSpace | null): DomainError {
	const { code, message, hint } = describeSpaceChange(pinned, configured);
	return new DomainError(code, message, {
		hint,
		details: {
			pinned: toSpaceDetails(pinned, pinned.length),
			configured: configured && toSpaceDetails(configured, configured.dimensions),
		},
	});
}

export const unsupportedFormat = (fileName: string, param?: string): DomainError =>
	new DomainError("unsupported_format", `The format of "${fileName}" is not supported.`, {
		hint: `Formats are known by file name, else by media type. Supported formats: ${READABLE_FORMATS}.`,
		param,
	});
