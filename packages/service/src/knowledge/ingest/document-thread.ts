import type { RunError } from "@stemma/core";
import { type DocumentContent, DocumentError, type UploadContent, unreadableError } from "@stemma/documents";
import { readDocument } from "@stemma/documents/read-document";
import { serveTasks } from "../../threads/serve-tasks";

/** Result of the thread for each upload, in order. */
export type DocumentThreadResult = { readonly content: DocumentContent } | { readonly error: RunError };

function readUpload(upload: UploadContent): DocumentThreadResult {
	try {
		return { content: readDocument(upload) };
	} catch (error) {
		const known = error instanceof DocumentError ? error : unreadableError(String(error), error);
		return { error: known.error };
	}
}

serveTasks(readUpload);
