import { sql } from "kysely";
import type { PostgresJob } from "../../../postgres-job";

/** Filters uploads that are still wanted: neither they nor their knowledge base were deleted or replaced. */
export const filterCurrentUploads: PostgresJob<readonly number[], readonly number[]> = async (
	transaction,
	uploads,
) => {
	const rows = await transaction
		.selectFrom("uploads")
		.innerJoin("documents", "documents.number", "uploads.document")
		.innerJoin("knowledge_bases", "knowledge_bases.number", "documents.knowledge_base")
		.select("uploads.number")
		.where("uploads.number", "=", sql<number>`any(${uploads}::bigint[])`)
		.where("deleted_at", "is", null)
		.orderBy("uploads.number")
		.execute();
	return rows.map(({ number }) => number);
};
