import { ApiError } from "../http/api-error";
import { READABLE_FORMATS } from "./document-format";

export const knowledgeBaseNotFound = (id: string, param?: string): ApiError =>
	new ApiError(404, "knowledge_base_not_found", `There is no knowledge base "${id}".`, {
		hint: "List them with GET /v1/knowledge-bases.",
		param,
	});

export const documentNotFound = (id: string): ApiError =>
	new ApiError(404, "document_not_found", `There is no document "${id}" in this knowledge base.`, {
		hint: "List its documents with GET /v1/knowledge-bases/<id>/documents.",
	});

export const tooManyDocuments = (most: number): ApiError =>
	new ApiError(422, "too_many_documents", `The workspace may have ${most.toLocaleString("en")} documents.`, {
		hint: "Nothing of this upload was taken. Delete documents that are not needed, or raise limits.documents.",
		details: { documents: most },
	});

export const unsupportedFormat = (fileName: string, param?: string): ApiError =>
	new ApiError(422, "unsupported_format", `The format of "${fileName}" is not read.`, {
		hint: `Formats are known by file name, else by media type. Read are ${READABLE_FORMATS}.`,
		param,
	});
