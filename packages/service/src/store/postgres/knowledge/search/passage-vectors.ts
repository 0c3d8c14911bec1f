import { sql } from "kysely";
import type { PassageRange } from "../../../../knowledge/repositories/passage-repository";
import { normalize } from "../../../sqlite/knowledge/search/vector-code";
import { toVectorTables, VECTOR_SLOTS, type VectorSlot } from "../../../sqlite/knowledge/search/vector-slots";
import { toRealArray } from "../../connection/real-array";
import { ownRows } from "../../own-rows-plugin";
import type { WorkspaceTransaction } from "../../workspace-transaction";

/** Vector of a passage. */
export interface PassageVector {
	/** Number of the passage. */
	readonly passage: number;
	readonly values: Float32Array;
}

/** Reads the slot whose vectors searches in a knowledge base use. */
export async function readVectorSlot(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
): Promise<VectorSlot> {
	const row = await transaction
		.selectFrom("knowledge_bases")
		.select("vector_slot")
		.where("number", "=", knowledgeBase)
		.executeTakeFirst();
	return row?.vector_slot ?? 0;
}

/** Stores vectors of one length of passages of one knowledge base, in place of those that they have in the slot. */
export async function insertVectors(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
	slot: VectorSlot,
	vectors: readonly PassageVector[],
): Promise<void> {
	if ((vectors[0]?.values.length ?? 0) === 0) return;
	const rows = vectors.map(
		({ passage, values }) =>
			sql`(${knowledgeBase}::bigint, ${passage}::bigint, ${toRealArray([normalize(values)])}::real[])`,
	);
	await sql`
		insert into ${sql.table(toVectorTables(slot).vectors)} (knowledge_base, number, vector) values ${sql.join(rows)}
		on conflict (workspace, knowledge_base, number) do update set vector = excluded.vector`.execute(
		transaction,
	);
}

/** Deletes the vectors of passages, of each space that they have some of. */
export async function deleteVectors(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
	{ first, count }: PassageRange,
): Promise<void> {
	for (const { vectors } of VECTOR_SLOTS.map(toVectorTables))
		await sql`
			delete from ${sql.table(vectors)} vectors
			where ${ownRows("vectors")} and vectors.knowledge_base = ${knowledgeBase}
				and vectors.number between ${first} and ${first + count - 1}`.execute(transaction);
}
