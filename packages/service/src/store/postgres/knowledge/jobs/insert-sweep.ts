import type { PassageRange } from "../../../../knowledge/repositories/passage-repository";
import type { WorkspaceTransaction } from "../../workspace-transaction";

/** Passages to be swept away, but not as long as this upload is in the queue. */
export async function insertSweep(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
	{ first, count }: PassageRange,
	upload: number | null = null,
): Promise<void> {
	if (count === 0) return;
	await transaction
		.insertInto("passage_sweeps")
		.values({ first, last: first + count - 1, knowledge_base: knowledgeBase, upload })
		.execute();
}
