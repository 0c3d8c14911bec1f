import type { DocumentStatus } from "@stemma/client";
import { quote } from "@stemma/core/internal";
import { describeUnreadFile, READABLE_FORMATS } from "@stemma/documents";
import type { EmbeddingSpace } from "@stemma/routing";
import { DomainError } from "../errors/domain-error";
import type { PinnedSpace } from "./embeddings/pinned-space";
import { describeSpaceChange, toSpaceDetails } from "./embeddings/space-change";

/**
 * Error of a knowledge base that does not exist.
 *
 * @param meant - slug that was probably meant.
 */
export function knowledgeBaseNotFound(
	idOrSlug: string,
	{ meant }: { readonly meant?: string | undefined } = {},
): DomainError {
	const suggestion = meant === undefined ? "" : ` Did you mean ${quote(meant)}?`;
	return new DomainError(
		"knowledge_base_not_found",
		`There is no knowledge base ${quote(idOrSlug)}.${suggestion}`,
		{ hint: "List them with GET /v1/knowledge-bases; the id and the slug both work." },
	);
}

export const documentNotFound = (id: string): DomainError =>
	new DomainError("document_not_found", `There is no document ${quote(id)} in this knowledge base.`, {
		hint: "List its documents with GET /v1/knowledge-bases/<id>/documents.",
	});

export const documentNotReady = (id: string, status: DocumentStatus): DomainError =>
	new DomainError("document_not_ready", `The document ${quote(id)} has no text: it is ${status}.`, {
		hint:
			status === "failed"
				? "It could not be read: its field `error` says why."
				: "It is still being read. Try again in a moment.",
	});

export const originalNotStored = (id: string): DomainError =>
	new DomainError("original_not_stored", `The file of the document ${quote(id)} is not stored.`, {
		hint: UPLOAD_AGAIN,
	});

export const textNotStored = (id: string): DomainError =>
	new DomainError("text_not_stored", `The text of the document ${quote(id)} is not stored.`, {
		hint: UPLOAD_AGAIN,
	});

const UPLOAD_AGAIN =
	"An earlier version of the service read it, and kept its passages alone. Upload the file again.";

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

/** Error for a file whose name says no format that is read; for a known kind of file, such as an image, with what to do. */
export function unsupportedFormat(fileName: string, param?: string): DomainError {
	const refusal = describeUnreadFile(fileName);
	if (refusal !== undefined)
		return new DomainError(
			refusal.code === "needs_ocr" ? refusal.code : "unsupported_format",
			`"${fileName}" is not read: ${refusal.message}.`,
			{ hint: refusal.hint, param },
		);
	return new DomainError("unsupported_format", `The format of "${fileName}" is not supported.`, {
		hint: `Formats are known by file name, else by media type. Supported formats: ${READABLE_FORMATS}.`,
		param,
	});
}
