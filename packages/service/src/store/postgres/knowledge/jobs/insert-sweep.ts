import type { PassageRange } from "../../../../knowledge/repositories/passage-repository";
import { type ColumnTypes, insertRows } from "../../connection/row-arrays";
import type { WorkspaceTransaction } from "../../workspace-transaction";

/** Passages to be swept away, but not as long as their upload is in the queue. */
export interface PassageSweep extends PassageRange {
	/** A number, not an id. */
	readonly knowledgeBase: number;
	/** Default: none. */
	readonly upload?: number;
}

const SWEEP_TYPES = {
	first: "bigint",
	last: "bigint",
	knowledge_base: "bigint",
	upload: "bigint",
} satisfies ColumnTypes<string>;

/** Has passages swept away later. */
export const insertSweeps = (
	transaction: WorkspaceTransaction,
	sweeps: readonly PassageSweep[],
): Promise<void> =>
	insertRows(
		transaction,
		"passage_sweeps",
		SWEEP_TYPES,
		sweeps
			.filter(({ count }) => count > 0)
			.map(({ first, count, knowledgeBase, upload = null }) => ({
				...{ first, last: first + count - 1, knowledge_base: knowledgeBase, upload },
			})),
	);
