import type { EmbeddingPin, PinnedSpace } from "../../../../knowledge/embeddings/pinned-space";
import { parsePin } from "../../../sqlite/knowledge/jobs/embedding-pins";
import type { WorkspaceTransaction } from "../../workspace-transaction";

/** @param knowledgeBase - a number. */
export async function readPin(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
): Promise<EmbeddingPin> {
	const row = await transaction
		.selectFrom("knowledge_bases")
		.select("embedding")
		.where("number", "=", knowledgeBase)
		.executeTakeFirst();
	return parsePin(row?.embedding ?? null);
}

export async function writePin(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
	pin: PinnedSpace | null,
): Promise<void> {
	await transaction
		.updateTable("knowledge_bases")
		.set({ embedding: JSON.stringify(pin) })
		.where("number", "=", knowledgeBase)
		.execute();
}

/**
 * Removes the pin of a knowledge base without passages, where new vectors have nothing to be compared with; unless a
 * document is half written.
 */
export async function unpinIfEmpty(transaction: WorkspaceTransaction, knowledgeBase: number): Promise<void> {
	await transaction
		.updateTable("knowledge_bases")
		.set({ embedding: null })
		.where("number", "=", knowledgeBase)
		.where("passage_count", "=", 0)
		.where(({ not, exists, selectFrom }) =>
			not(
				exists(
					selectFrom("passage_sweeps")
						.innerJoin("uploads", "uploads.number", "passage_sweeps.upload")
						.select("first")
						.where("knowledge_base", "=", knowledgeBase),
				),
			),
		)
		.execute();
}
