import type { KnowledgeDocument } from "@stemma/client";
import type { LocalDocument } from "./local-document";

/** Document that a knowledge base has stored. */
export type StoredDocument = Pick<KnowledgeDocument, "id" | "source" | "status" | "content_sha256">;

export interface IngestPlan {
	readonly uploads: readonly PlannedUpload[];
	/** Documents that are already stored with the same content. */
	readonly unchanged: readonly LocalDocument[];
	/** Stored documents whose source is gone. */
	readonly removals: readonly StoredDocument[];
}

export interface PlannedUpload {
	readonly document: LocalDocument;
	/** `again`: the same content could not be read before. */
	readonly kind: "new" | "changed" | "retry";
}

/**
 * Compares a folder with a knowledge base.
 *
 * @param shouldRemove - tells of a source that is not in the folder whether to remove its document.
 */
export function planIngest(
	local: readonly LocalDocument[],
	stored: readonly StoredDocument[],
	shouldRemove: (source: string) => boolean,
): IngestPlan {
	const known = new Map(stored.map((document) => [document.source, document]));
	const uploads: PlannedUpload[] = [];
	const unchanged: LocalDocument[] = [];
	for (const document of local) {
		const kind = compare(document, known.get(document.source));
		if (kind === "unchanged") unchanged.push(document);
		else uploads.push({ document, kind });
	}
	const localSources = new Set(local.map(({ source }) => source));
	// Without a source a document is none of a folder's.
	const removals = stored.filter(
		({ source }) => source !== null && !localSources.has(source) && shouldRemove(source),
	);
	return { uploads, unchanged, removals };
}

function compare(
	{ sha256 }: LocalDocument,
	known: StoredDocument | undefined,
): PlannedUpload["kind"] | "unchanged" {
	if (known === undefined) return "new";
	if (known.content_sha256 !== sha256) return "changed";
	return known.status === "failed" ? "retry" : "unchanged";
}
