import type { JsonObject } from "@stemma/core";
import { sql } from "kysely";
import { parseColumn } from "../../../json-column";
import { hasMetadata } from "../../../sqlite/knowledge/search/find-documents";
import type { WorkspaceTransaction } from "../../workspace-transaction";

/** Finds the numbers of the documents with this metadata. */
export async function findDocuments(
	transaction: WorkspaceTransaction,
	knowledgeBases: readonly number[],
	filter: JsonObject,
): Promise<readonly number[]> {
	const rows = await transaction
		.selectFrom("documents")
		.select(["number", "metadata"])
		.where("knowledge_base", "=", sql<number>`any(${knowledgeBases}::bigint[])`)
		.execute();
	return rows
		.filter(({ metadata }) => hasMetadata(parseColumn(metadata), filter))
		.map(({ number }) => number);
}
