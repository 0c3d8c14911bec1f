import type { DocumentCounts } from "@stemma/client";
import type { Kysely } from "kysely";
import type { WorkspaceTables } from "../../workspace-tables";

/** Counts of documents where there are none. */
export const NO_DOCUMENTS: DocumentCounts = { total: 0, queued: 0, processing: 0, ready: 0, failed: 0 };

/** Counts documents by status, for each of some knowledge bases or sources that has any. */
export async function countDocuments(
	read: Kysely<WorkspaceTables>,
	column: "knowledge_base" | "source_number",
	numbers: readonly number[],
): Promise<ReadonlyMap<number, DocumentCounts>> {
	const groups = await read
		.selectFrom("documents")
		.select(({ fn }) => [`${column} as owner`, "status", fn.countAll<number>().as("count")])
		.where(column, "in", numbers)
		.groupBy([column, "status"])
		.execute();
	const counts = new Map<number, DocumentCounts>();
	for (const { owner, status, count } of groups) {
		if (owner === null) continue;
		const known = counts.get(owner) ?? NO_DOCUMENTS;
		counts.set(owner, { ...known, [status]: count, total: known.total + count });
	}
	return counts;
}
