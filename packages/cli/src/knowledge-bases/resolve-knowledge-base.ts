import type { Knowledge, KnowledgeBase } from "@stemma/client";
import { FULL_PAGES, listAll } from "../connection/list-all";
import { getKnowledgeBase, isIdOrSlug } from "./find-knowledge-base";

/** Lists the knowledge bases that the credential may read, over all pages. */
export const listAllKnowledgeBases = (knowledge: Knowledge): Promise<KnowledgeBase[]> =>
	listAll(knowledge.list(FULL_PAGES));

/**
 * Returns ids or slugs of the knowledge bases that were named, each once. Ids and slugs cost no request: the service says
 * which of them do not exist.
 *
 * @throws ConfigurationError that lists what there is, for an unknown name.
 */
export async function resolveKnowledgeBases(
	knowledge: Knowledge,
	idsOrNames: readonly string[],
): Promise<string[]> {
	if (idsOrNames.every(isIdOrSlug)) return [...new Set(idsOrNames)];
	const all = await listAllKnowledgeBases(knowledge);
	return [...new Set(idsOrNames.map((idOrName) => getKnowledgeBase(idOrName, all).id))];
}

/**
 * Reads the knowledge base of that id, slug or name.
 *
 * @throws ConfigurationError that lists what there is, for an unknown name.
 */
export async function readKnowledgeBase(knowledge: Knowledge, idOrName: string): Promise<KnowledgeBase> {
	if (isIdOrSlug(idOrName)) return knowledge.get(idOrName);
	return getKnowledgeBase(idOrName, await listAllKnowledgeBases(knowledge));
}
