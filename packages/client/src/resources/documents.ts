import { ConfigurationError } from "@stemma/core/errors";
import type { StemmaClient } from "../client";
import { path } from "../http/path";
import type { CallOptions, WithRequestId } from "../options/call-options";
import type {
	DocumentListOptions,
	DocumentText,
	DocumentUpload,
	KnowledgeDocument,
} from "../types/knowledge";
import type { Deleted } from "../types/page";
import { type UploadOptions, uploadDocuments } from "../uploads/upload-documents";
import type { UploadRequest } from "../uploads/upload-request";
import { createPaginatedList, type PaginatedList } from "./paginated-list";
import { type WaitOptions, waitForDocuments } from "./wait-for-documents";

/** Documents of knowledge bases: acknowledged at once, then read; `waitUntilReady` tells when they can be searched. */
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
	/** Deletes a document with its passages. */
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
	const get: Documents["get"] = (knowledgeBaseId, documentId, options) =>
		client.request({ method: "GET", path: documentPath(knowledgeBaseId, documentId), options });
	const list: Documents["list"] = (knowledgeBaseId, filter = {}, options) =>
		createPaginatedList(client, documentsPath(knowledgeBaseId), { ...filter }, options);
	return {
		addText: (knowledgeBaseId, request, options) =>
			client.request({ method: "POST", path: documentsPath(knowledgeBaseId), json: request, options }),
		upload: async (knowledgeBaseId, request, options) =>
			uploadDocuments(client, documentsPath(knowledgeBaseId), request, options),
		list,
		get,
		delete: (knowledgeBaseId, documentId, options) =>
			client.request({ method: "DELETE", path: documentPath(knowledgeBaseId, documentId), options }),
		waitUntilReady: async (knowledgeBaseId, documentsOrIds, options) =>
			waitForDocuments(
				toIds(documentsOrIds),
				{
					get: (documentId, callOptions) => get(knowledgeBaseId, documentId, callOptions),
					list: (page, callOptions) => list(knowledgeBaseId, page, callOptions),
				},
				options,
			),
	};
}

/** @throws ConfigurationError for what is neither, where nobody checks types. */
function toIds(documentsOrIds: DocumentUpload | readonly string[]): readonly string[] {
	const { data } = Object(documentsOrIds) as Partial<DocumentUpload>;
	const ids: unknown = Array.isArray(data) ? data.map(({ id }) => id) : documentsOrIds;
	if (Array.isArray(ids)) return ids;
	throw new ConfigurationError("`documents` must be the response of an upload, or a list of ids.");
}

const documentsPath = (knowledgeBaseId: string): string =>
	path`/v1/knowledge-bases/${knowledgeBaseId}/documents`;

const documentPath = (knowledgeBaseId: string, documentId: string): string =>
	path`/v1/knowledge-bases/${knowledgeBaseId}/documents/${documentId}`;
