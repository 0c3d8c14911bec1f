import { findHiddenItems } from "../../access/hidden-items";
import type { PageRequest } from "../../pagination";
import type { RequestScope } from "../../request-scope";

/** The ids of the knowledge bases that a caller may use, oldest first. */
export async function findVisibleKnowledgeBases(
	scope: RequestScope,
	page: PageRequest,
): Promise<readonly string[]> {
	const { caller, workspace } = scope;
	const { knowledgeBaseIds: without } = await findHiddenItems(scope);
	const ids = caller.kind === "client_key" ? (caller.knowledgeBaseIds ?? undefined) : undefined;
	const bases = await workspace.knowledge.listKnowledgeBaseSummaries({ ...page, ids, without });
	return bases.map(({ id }) => id);
}
