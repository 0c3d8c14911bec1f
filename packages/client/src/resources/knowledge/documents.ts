import { ConfigurationError } from "@stemma/core/errors";
import type { StemmaClient } from "../../client";
import { path } from "../../http/path";
import { type CallOptions, type WithRequestId, withRequestId } from "../../options/call-options";
import type {
	DocumentFile,
	DocumentListOptions,
	DocumentText,
	DocumentUpload,
	FileRange,
	KnowledgeDocument,
	ReadText,
	TextRange,
} from "../../types/knowledge/knowledge";
import type { Deleted } from "../../types/page";
import { type UploadOptions, uploadDocuments } from "../../uploads/upload-documents";
import type { UploadRequest } from "../../uploads/upload-request";
import { type WaitOptions, waitForDocuments } from "../../uploads/wait-for-documents";
import { createCollection } from "../collection";
import type { PaginatedList } from "../paginated-list";

/** Documents of knowledge bases, which are named by id or slug: acknowledged at once, then read; `waitUntilReady` tells when they can be searched. */
export interface Documents {
	addText(
		knowledgeBaseId: string,
		request: DocumentText,
		options?: CallOptions,
	): Promise<WithRequestId<DocumentUpload>>;
	/**
	 * Files, in one request: whole or not at all. An aborted signal stops reading them. Streams and files of
	 * `fileFromPath` are sent as they are read; where the platform cannot (browsers, React Native), they are read whole
	 * before. May take five minutes; `timeouts.headersTimeoutMs` of the call says otherwise.
	 *
	 * @throws ConfigurationError that names the field, for a file that cannot be read.
	 */
	upload(
		knowledgeBaseId: string,
		request: UploadRequest,
		options?: UploadOptions,
	): Promise<WithRequestId<DocumentUpload>>;
	list(
		knowledgeBaseId: string,
		filter?: DocumentListOptions,
		options?: CallOptions,
	): PaginatedList<KnowledgeDocument>;
	get(
		knowledgeBaseId: string,
		documentId: string,
		options?: CallOptions,
	): Promise<WithRequestId<KnowledgeDocument>>;
	/** Finds a document of any knowledge base by its id alone, as citations name it. */
	find(documentId: string, options?: CallOptions): Promise<WithRequestId<KnowledgeDocument>>;
	/**
	 * Reads the text that the passages of a document were cut from: all of it, or the range of a `place`.
	 *
	 * @throws ApiError `document_not_ready` (409), or `text_not_stored` (404) where an earlier version of the service read it.
	 */
	text(
		knowledgeBaseId: string,
		documentId: string,
		range?: TextRange,
		options?: CallOptions,
	): Promise<WithRequestId<ReadText>>;
	/**
	 * Opens the file of a document as it was uploaded, or a part of it. Needs a `fetch` that gives bytes, which React Native's
	 * own does not.
	 *
	 * @throws ApiError `original_not_stored` (404) where an earlier version of the service read it.
	 */
	file(
		knowledgeBaseId: string,
		documentId: string,
		range?: FileRange,
		options?: CallOptions,
	): Promise<DocumentFile>;
	/**
	 * Reads a document that failed, or has `unread_pages`, again from the file that is stored: after the service was
	 * updated, or OCR was set up. Others stay as they are.
	 *
	 * @throws ApiError `original_not_stored` (404) where an earlier version of the service read it.
	 */
	retry(
		knowledgeBaseId: string,
		documentId: string,
		options?: CallOptions,
	): Promise<WithRequestId<KnowledgeDocument>>;
	/** Deletes a document with its passages, its file and its text. */
	delete(knowledgeBaseId: string, documentId: string, options?: CallOptions): Promise<WithRequestId<Deleted>>;
	/**
	 * Waits until all of them can be searched: the documents of an upload, or some of their ids. Hundreds take no more
	 * requests than a few do.
	 *
	 * @throws DocumentFailedError when all have ended and some have failed; TimeoutError after `timeouts.timeoutMs`, here 10
	 * minutes by default.
	 */
	waitUntilReady(
		knowledgeBaseId: string,
		documents: DocumentUpload | readonly string[],
		options?: WaitOptions,
	): Promise<readonly KnowledgeDocument[]>;
}

export function documents(client: StemmaClient): Documents {
	const toPath = (knowledgeBaseId: string): string => path`/v1/knowledge-bases/${knowledgeBaseId}/documents`;
	const collectionOf = (knowledgeBaseId: string) =>
		createCollection<KnowledgeDocument, DocumentUpload>(client, toPath(knowledgeBaseId));
	return {
		addText: (knowledgeBaseId, request, options) => collectionOf(knowledgeBaseId).create(request, options),
		upload: async (knowledgeBaseId, request, options) =>
			uploadDocuments(client, toPath(knowledgeBaseId), request, options),
		list: (knowledgeBaseId, filter, options) => collectionOf(knowledgeBaseId).list(filter, options),
		get: (knowledgeBaseId, documentId, options) => collectionOf(knowledgeBaseId).get(documentId, options),
		find: (documentId, options) =>
			client.request({ method: "GET", path: path`/v1/documents/${documentId}`, options }),
		async text(knowledgeBaseId, documentId, { start, end } = {}, options) {
			const textPath = toPath(knowledgeBaseId) + path`/${documentId}/text`;
			const response = await client.open({ method: "GET", path: textPath, query: { start, end }, options });
			const { readWholeText } = await import("../../uploads/document-file");
			return withRequestId({ text: await readWholeText(response) }, response.requestId);
		},
		async file(knowledgeBaseId, documentId, fileRange, options) {
			const filePath = toPath(knowledgeBaseId) + path`/${documentId}/file`;
			const headers = { range: toRangeHeader(fileRange) };
			const response = await client.open({ method: "GET", path: filePath, headers, options });
			return (await import("../../uploads/document-file")).toDocumentFile(response);
		},
		retry: (knowledgeBaseId, documentId, options) =>
			client.request({
				method: "POST",
				path: toPath(knowledgeBaseId) + path`/${documentId}/retry`,
				options,
			}),
		delete: (knowledgeBaseId, documentId, options) =>
			collectionOf(knowledgeBaseId).delete(documentId, options),
		waitUntilReady: async (knowledgeBaseId, documentsOrIds, options) =>
			waitForDocuments(toIds(documentsOrIds), collectionOf(knowledgeBaseId), options),
	};
}

/** @throws ConfigurationError for a part without bytes. */
function toRangeHeader({ start = 0, end }: FileRange = {}): string | undefined {
	if (end === undefined) return start === 0 ? undefined : `bytes=${start}-`;
	if (end > start) return `bytes=${start}-${end - 1}`;
	throw new ConfigurationError("`end` must be after `start`.");
}

/** @throws ConfigurationError for what is neither, where nobody checks types. */
function toIds(documentsOrIds: DocumentUpload | readonly string[]): readonly string[] {
	const { data } = Object(documentsOrIds) as Partial<DocumentUpload>;
	const ids: unknown = Array.isArray(data) ? data.map(({ id }) => id) : documentsOrIds;
	if (Array.isArray(ids)) return ids;
	throw new ConfigurationError("`documents` must be the response of an upload, or a list of ids.");
}
