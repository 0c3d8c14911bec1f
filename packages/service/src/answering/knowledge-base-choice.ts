import { z } from "zod";
import { ApiError } from "../http/api-error";
import type { ServiceContext } from "../http/service-app";
import { demandAllowedKnowledgeBases } from "./caller-limits";
import { findVisibleKnowledgeBases } from "./visible-knowledge-bases";

/** As many as one question may go to. */
export const MAX_KNOWLEDGE_BASES = 100;

/** The field by which a caller names knowledge bases. */
export const knowledgeBaseIds = z
	.array(z.string().max(100))
	.min(1)
	.max(MAX_KNOWLEDGE_BASES)
	.describe(
		`Ids of the knowledge bases to look in (kb_…). Leave it out to look in all that you may use, up to the ${MAX_KNOWLEDGE_BASES} oldest.`,
	);

/** Where a question goes. */
export interface KnowledgeBaseChoice {
	readonly ids: readonly string[];
	/** There are more, which were not named and are not looked at. */
	readonly hasMore: boolean;
}

/** The part of an answer that says that more knowledge bases could have been searched. */
export const toChoiceNote = ({ hasMore }: KnowledgeBaseChoice): { readonly more_knowledge_bases?: true } =>
	hasMore ? { more_knowledge_bases: true } : {};

/**
 * Those that a caller names, else all that it may see, oldest first and no more than one question may go to.
 *
 * @throws ApiError `knowledge_base_not_found`, also for those that it may not see; `no_knowledge_bases`.
 */
export async function chooseKnowledgeBases(
	context: ServiceContext,
	named: readonly string[] | undefined,
): Promise<KnowledgeBaseChoice> {
	if (named !== undefined) {
		demandAllowedKnowledgeBases(context.get("caller"), named);
		return { ids: named, hasMore: false };
	}
	const ids = await findVisibleKnowledgeBases(context, { limit: MAX_KNOWLEDGE_BASES + 1 });
	if (ids.length === 0) throw noKnowledgeBases();
	return { ids: ids.slice(0, MAX_KNOWLEDGE_BASES), hasMore: ids.length > MAX_KNOWLEDGE_BASES };
}

const noKnowledgeBases = (): ApiError =>
	new ApiError(404, "no_knowledge_bases", "There is no knowledge base that this credential may use.", {
		hint: "The workspace needs a knowledge base with documents first: POST /v1/knowledge-bases, or `stemma ingest <folder> --create`.",
	});
