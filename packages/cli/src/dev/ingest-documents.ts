import type { Knowledge } from "@stemma/client";
import { ingest } from "../ingest/ingest";
import type { IngestReport } from "../ingest/ingest-report";
import { findKnowledgeBase } from "../knowledge-bases/find-knowledge-base";
import { listAllKnowledgeBases } from "../knowledge-bases/resolve-knowledge-base";

/** Slug of the knowledge base that the documents of a project become. */
export const DOCUMENTS = "documents";

/** Brings the knowledge base of a project up to date with its folder; files that are gone are removed from it. */
export async function ingestDocuments(
	knowledge: Knowledge,
	folder: string,
	signal: AbortSignal,
): Promise<IngestReport> {
	const known = findKnowledgeBase(DOCUMENTS, await listAllKnowledgeBases(knowledge));
	const { id } = known ?? (await knowledge.create({ name: DOCUMENTS, slug: DOCUMENTS }));
	return ingest(knowledge, id, [folder], { prune: true, skipUnreadable: true, signal });
}
