import { type RawBuilder, sql } from "kysely";
import type {
	ReindexBatch,
	ReindexBatchInput,
	ReindexSize,
} from "../../../../knowledge/repositories/reindex-repository";
import { type MissingRow, toText } from "../../../sqlite/knowledge/reindex/missing-vectors";
import { toOtherSlot, toVectorTables, type VectorSlot } from "../../../sqlite/knowledge/search/vector-slots";
import { ownRows } from "../../own-rows-plugin";
import type { PostgresJob } from "../../postgres-job";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { findKnowledgeBase } from "../find-knowledge-base";
import { readVectorSlot } from "../search/passage-vectors";
import { findReindexRow } from "./reindex-rows";

/** Rows of passages, by the id of their document from one on. Passages that no document shows are not among them. */
const shownPassages = (knowledgeBase: number, after = ""): RawBuilder<unknown> => sql`
	from documents
	join passages on ${ownRows("passages")}
		and passages.number between first_passage and first_passage + passage_count - 1
	where ${ownRows("documents")} and documents.knowledge_base = ${knowledgeBase} and documents.id >= ${after}`;

const isMissingIn = (slot: VectorSlot): RawBuilder<boolean> => sql`
	not exists (select from ${sql.table(toVectorTables(slot).vectors)} vectors
	where ${ownRows("vectors")} and vectors.knowledge_base = documents.knowledge_base and vectors.number = passages.number)`;

/** Takes passages without a vector of the target; none where the target is words alone. */
export const takeUnindexed: PostgresJob<ReindexBatchInput, ReindexBatch | undefined> = async (
	transaction,
	input,
) => {
	const row = await findReindexRow(transaction, input.knowledgeBase);
	if (row === undefined || (row.status !== "running" && row.status !== "paused")) return undefined;
	if (row.target === "null") return { passages: [], last: "" };
	const { rows } = await sql<MissingRow>`
		select passages.number, documents.id as document, title, heading, text
		${shownPassages(row.knowledge_base, input.after)} and ${isMissingIn(toOtherSlot(row.vector_slot))}
		order by documents.id, passages.number limit ${input.limit}`.execute(transaction);
	const passages = rows.map(({ number, title, ...passage }) => ({ number, text: toText(title, passage) }));
	return { passages, last: rows.at(-1)?.document ?? "" };
};

/** Checks whether a passage has no vector in a slot. */
export async function hasMissingVectors(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
	slot: VectorSlot,
): Promise<boolean> {
	const { rows } = await sql`
		select 1 as found ${shownPassages(knowledgeBase)} and ${isMissingIn(slot)} limit 1`.execute(transaction);
	return rows.length > 0;
}

/** Measures the passages that a move would give vectors to. */
export const measureReindex: PostgresJob<
	{ readonly knowledgeBase: string; readonly keepsSpare: boolean },
	ReindexSize
> = async (transaction, input) => {
	const nothing = { passages: 0, characters: 0, bytes: 0 };
	const knowledgeBase = await findKnowledgeBase(transaction, input.knowledgeBase);
	if (knowledgeBase === undefined) return nothing;
	const condition = input.keepsSpare
		? isMissingIn(toOtherSlot(await readVectorSlot(transaction, knowledgeBase)))
		: sql`true`;
	const { rows } = await sql<ReindexSize>`
		select count(*) as passages, coalesce(sum(length(embedded)), 0) as characters,
			coalesce(sum(octet_length(embedded)), 0) as bytes
		from (select title || coalesce(heading, '') || text as embedded ${shownPassages(knowledgeBase)} and ${condition}) as texts`.execute(
		transaction,
	);
	return rows[0] ?? nothing;
};

/** Counts the passages with a vector of the target, among which some may be that no document shows any more. */
export async function countReindexed(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
): Promise<number> {
	const { vectors } = toVectorTables(toOtherSlot(await readVectorSlot(transaction, knowledgeBase)));
	const { rows } = await sql<{ readonly count: number }>`
		select count(*) as count from ${sql.table(vectors)} vectors
		where ${ownRows("vectors")} and knowledge_base = ${knowledgeBase}`.execute(transaction);
	return rows[0]?.count ?? 0;
}
