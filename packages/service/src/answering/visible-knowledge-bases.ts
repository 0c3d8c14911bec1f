import type { PageRequest } from "../pagination";
import type { RequestScope } from "../request-scope";

/** The ids of the knowledge bases that a caller may use, oldest first. */
export async function findVisibleKnowledgeBases(
	scope: RequestScope,
	{ limit, after = "" }: PageRequest,
): Promise<readonly string[]> {
	const caller = scope.caller;
	let query = scope.workspace.database.read
		.selectFrom("knowledge_bases")
		.select("id")
		.where("deleted_at", "is", null)
		.where("id", ">", after);
	if (caller.kind === "client_key" && caller.knowledgeBaseIds !== null)
		query = query.where("id", "in", caller.knowledgeBaseIds);
	const rows = await query.orderBy("id").limit(limit).execute();
	return rows.map(({ id }) => id);
}
