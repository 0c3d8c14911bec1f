import * as z from "zod";
import { assertVisibleKnowledgeBases } from "../../access/assert-visible";
import { DomainError } from "../../errors/domain-error";
import type { RequestScope } from "../../request-scope";
import { assertAllowedKnowledgeBases } from "../client-key-limits";
import { findVisibleKnowledgeBases } from "./visible-knowledge-bases";

/** Maximum knowledge bases of one question. */
export const MAX_KNOWLEDGE_BASES = 100;

/** The field by which a caller names knowledge bases. */
export const knowledgeBaseIds = z
	.array(z.string().max(100))
	.min(1)
	.max(MAX_KNOWLEDGE_BASES)
	.describe(
		`Ids (kb_…) or slugs of the knowledge bases to look in. Leave it out to look in all that you may use, up to the ${MAX_KNOWLEDGE_BASES} oldest.`,
	);

/** Knowledge bases that a question is sent to. */
export interface KnowledgeBaseSelection {
	readonly ids: readonly string[];
	/** True where more knowledge bases exist, which were not named and are not searched. */
	readonly hasMore: boolean;
}

/** The part of an answer that says that more knowledge bases could have been searched. */
export const toHasMoreField = ({
	hasMore,
}: KnowledgeBaseSelection): { readonly more_knowledge_bases?: true } =>
	hasMore ? { more_knowledge_bases: true } : {};

/**
 * Selects the knowledge bases that a caller names, or else all that it may see, oldest first and at most as many as one
 * question may use.
 *
 * @throws DomainError `knowledge_base_not_found`, also for those that it may not see; `no_knowledge_bases`.
 */
export async function selectKnowledgeBases(
	scope: RequestScope,
	requested: readonly string[] | undefined,
): Promise<KnowledgeBaseSelection> {
	if (requested !== undefined) return { ids: await resolveKnowledgeBases(scope, requested), hasMore: false };
	const ids = await findVisibleKnowledgeBases(scope, { limit: MAX_KNOWLEDGE_BASES + 1 });
	if (ids.length === 0) throw noKnowledgeBasesError();
	return { ids: ids.slice(0, MAX_KNOWLEDGE_BASES), hasMore: ids.length > MAX_KNOWLEDGE_BASES };
}

/**
 * Resolves the ids and slugs by which a caller names knowledge bases to ids, each once. A slug that does not exist stays
 * as it is.
 *
 * @throws DomainError `knowledge_base_not_found` for those that the caller may not see.
 */
export async function resolveKnowledgeBases(
	{ caller, workspace }: Pick<RequestScope, "caller" | "workspace">,
	idsOrSlugs: readonly string[],
): Promise<readonly string[]> {
	const ids = await workspace.knowledge.resolveIds(idsOrSlugs);
	assertAllowedKnowledgeBases(caller, ids, idsOrSlugs);
	await assertVisibleKnowledgeBases({ caller, workspace }, idsOrSlugs);
	return [...new Set(ids)];
}

const noKnowledgeBasesError = (): DomainError =>
	new DomainError("no_knowledge_bases", "There is no knowledge base that this credential may use.", {
		hint: "The workspace needs a knowledge base with documents first: POST /v1/knowledge-bases, or `stemma ingest <folder> --create`.",
	});
