import type { PushedItem } from "../../../sources/repositories/push-repository";
import { type ListPushedInput, toPushedItem } from "../../sqlite/sources/list-pushed-job";
import type { PostgresJob } from "../postgres-job";

/** Lists items of a source with their documents, by key; those whose document was deleted are left out. */
export const listPushedItems: PostgresJob<ListPushedInput, readonly PushedItem[]> = async (
	transaction,
	{ source, key },
) => {
	const rows = await transaction
		.selectFrom("source_items")
		.innerJoin("sources", "sources.number", "source_items.source")
		.innerJoin("knowledge_bases", "knowledge_bases.number", "sources.knowledge_base")
		.innerJoin("documents", "documents.number", "source_items.document")
		.select(["key", "version", "status", "error", "size_bytes"])
		.select(["documents.created_at", "documents.updated_at"])
		.where("sources.id", "=", source)
		.where("sources.deleted_at", "is", null)
		.where("knowledge_bases.deleted_at", "is", null)
		.$if(key !== undefined, (query) => query.where("key", "=", key ?? ""))
		.orderBy("key")
		.execute();
	return rows.map(toPushedItem);
};
