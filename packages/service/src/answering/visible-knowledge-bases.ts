import type { ServiceContext } from "../http/service-app";
import type { ListOptions } from "../knowledge/knowledge-bases";

/** The ids of the knowledge bases that a caller may use, oldest first. */
export async function findVisibleKnowledgeBases(
	context: ServiceContext,
	{ limit, after = "" }: ListOptions,
): Promise<readonly string[]> {
	const caller = context.get("caller");
	let query = context
		.get("workspace")
		.database.read.selectFrom("knowledge_bases")
		.select("id")
		.where("deleted_at", "is", null)
		.where("id", ">", after);
	if (caller.kind === "client_key" && caller.knowledgeBaseIds !== null)
		query = query.where("id", "in", caller.knowledgeBaseIds);
	const rows = await query.orderBy("id").limit(limit).execute();
	return rows.map(({ id }) => id);
}
