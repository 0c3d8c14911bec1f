import type { WorkspaceTransaction } from "../workspace-transaction";

/** Finds the number of a knowledge base by its id; `undefined` where there is none. */
export async function findKnowledgeBase(
	transaction: WorkspaceTransaction,
	id: string,
): Promise<number | undefined> {
	const row = await transaction
		.selectFrom("knowledge_bases")
		.select("number")
		.where("id", "=", id)
		.where("deleted_at", "is", null)
		.executeTakeFirst();
	return row?.number;
}
