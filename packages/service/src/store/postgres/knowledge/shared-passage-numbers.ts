import { type Kysely, sql } from "kysely";
import type { PassageNumbers } from "../../repositories/knowledge/passage-numbers";
import type { WorkspaceTables } from "../../workspace-tables";
import type { WorkspaceTransaction } from "../workspace-transaction";

/** Creates numbers that several instances take from one counter. */
export const createSharedPassageNumbers = (write: Kysely<WorkspaceTables>): PassageNumbers => ({
	async reserve(count) {
		const { rows } = await sql<{ readonly first: number }>`
			INSERT INTO passage_numbers (next) VALUES (1 + ${count}::bigint)
			ON CONFLICT (workspace) DO UPDATE SET next = passage_numbers.next + ${count}::bigint
			RETURNING next - ${count}::bigint AS first`.execute(write);
		return rows[0]?.first ?? 1;
	},
	// The recovery has stored it.
	startAt: () => undefined,
});

/** Lets the counter go on behind the passages that are stored: an import brings some. */
export async function advancePassageNumbers(transaction: WorkspaceTransaction, next: number): Promise<void> {
	await sql`
		INSERT INTO passage_numbers (next) VALUES (${next}::bigint)
		ON CONFLICT (workspace) DO UPDATE SET next = greatest(passage_numbers.next, excluded.next)`.execute(
		transaction,
	);
}
