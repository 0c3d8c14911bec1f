import type { Kysely } from "kysely";
import { parseColumn } from "../../json-column";
import type { WorkspaceTables } from "../../workspace-tables";

/** Finds the id of the source of the files that are pushed into a knowledge base. */
export async function findPushSource(
	connection: Kysely<WorkspaceTables>,
	knowledgeBase: string,
): Promise<string | undefined> {
	const rows = await connection
		.selectFrom("sources")
		.innerJoin("knowledge_bases", "knowledge_bases.number", "sources.knowledge_base")
		.select(["sources.id", "settings"])
		.where("knowledge_bases.id", "=", knowledgeBase)
		.where("knowledge_bases.deleted_at", "is", null)
		.where("sources.deleted_at", "is", null)
		.orderBy("sources.id")
		.execute();
	return rows.find(({ settings }) => parseColumn(settings).kind === "push")?.id;
}
