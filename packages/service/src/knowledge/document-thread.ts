import type { RunError } from "@stemma/core";
import { serveTasks } from "../threads/serve-tasks";
import { DocumentError, unreadable } from "./document-error";
import { readDocument } from "./read-document";
import type { DocumentContent, UploadContent } from "./upload-content";

/** What the thread answers for each upload, in order. */
export type DocumentThreadAnswer = { readonly content: DocumentContent } | { readonly error: RunError };

function answer(upload: UploadContent): DocumentThreadAnswer {
	try {
		return { content: readDocument(upload) };
	} catch (error) {
		const known = error instanceof DocumentError ? error : unreadable(String(error), error);
		return { error: known.error };
	}
}

serveTasks(answer);
