import type { ReindexRow } from "../../../sqlite/knowledge/reindex/reindex-rows";
import type { WorkspaceTransaction } from "../../workspace-transaction";

/** Finds the move of a knowledge base that was not deleted. @param knowledgeBase - an id. */
export const findReindexRow = (
	transaction: WorkspaceTransaction,
	knowledgeBase: string,
): Promise<ReindexRow | undefined> =>
	transaction
		.selectFrom("reindexes")
		.innerJoin("knowledge_bases", "knowledge_bases.number", "reindexes.knowledge_base")
		.selectAll("reindexes")
		.select("vector_slot")
		.where("id", "=", knowledgeBase)
		.where("deleted_at", "is", null)
		.executeTakeFirst();

/** Checks whether vectors of a knowledge base are being made in another space: its new passages wait for these. */
export async function isMoving(transaction: WorkspaceTransaction, knowledgeBase: number): Promise<boolean> {
	const row = await transaction
		.selectFrom("reindexes")
		.select("status")
		.where("knowledge_base", "=", knowledgeBase)
		.where("status", "in", ["running", "paused"])
		.executeTakeFirst();
	return row !== undefined;
}

export async function deleteReindexRow(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
): Promise<void> {
	await transaction.deleteFrom("reindexes").where("knowledge_base", "=", knowledgeBase).execute();
}
