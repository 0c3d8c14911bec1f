import type { RunError } from "@stemma/core";
import { serveTasks } from "../../threads/serve-tasks";
import { DocumentError, unreadableError } from "./document-error";
import { readDocument } from "./read-document";
import type { DocumentContent, UploadContent } from "./upload-content";

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
