import type { PassagePlace } from "../documents/mark-passage";

/** Document that is shown beside the page. */
export interface OpenDocument {
	readonly documentId: string;
	readonly passage?: (PassagePlace & { readonly title: string }) | undefined;
}
