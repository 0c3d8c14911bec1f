import { sql } from "kysely";
import type {
	ReindexedBase,
	StoredReindex,
	StoreReindexedInput,
	StoreReindexedResult,
} from "../../../../knowledge/repositories/reindex-repository";
import { parseColumn } from "../../../json-column";
import { toAuditRow } from "../../../sqlite/audit-rows";
import { parsePin } from "../../../sqlite/knowledge/jobs/embedding-pins";
import {
	type CompleteReindexJob,
	type DropReindexJob,
	isActive,
	isSameSpace,
	isSameTarget,
	type StartReindexJob,
	VECTORS_PER_CLEARING,
} from "../../../sqlite/knowledge/reindex/reindex-jobs";
import type { ReindexRow } from "../../../sqlite/knowledge/reindex/reindex-rows";
import { toOtherSlot, toVectorTables } from "../../../sqlite/knowledge/search/vector-slots";
import { ownRows } from "../../own-rows-plugin";
import type { PostgresJob } from "../../postgres-job";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { findKnowledgeBase } from "../find-knowledge-base";
import { insertVectors } from "../search/passage-vectors";
import { countReindexed, hasMissingVectors } from "./missing-vectors";
import { deleteReindexRow, findReindexRow } from "./reindex-rows";

/** Finds a knowledge base with its move, at one moment. */
export const findReindex: PostgresJob<string, ReindexedBase | undefined> = async (transaction, id) => {
	const base = await transaction
		.selectFrom("knowledge_bases")
		.select(["embedding", "passage_count"])
		.where("id", "=", id)
		.where("deleted_at", "is", null)
		.executeTakeFirst();
	if (base === undefined) return undefined;
	const row = await findReindexRow(transaction, id);
	const passageCount = base.passage_count;
	const reindex = row && (await toStored(transaction, row, passageCount));
	return { id, pin: parsePin(base.embedding), passageCount, reindex };
};

async function toStored(
	transaction: WorkspaceTransaction,
	row: ReindexRow,
	passageCount: number,
): Promise<StoredReindex> {
	const target = parseColumn(row.target);
	return {
		...{ status: row.status, target, spare: parsePin(row.spare), payer: row.payer, skipped: row.skipped },
		error: row.error === null ? null : parseColumn(row.error),
		done:
			row.status === "completed" || target === null
				? passageCount
				: Math.min(passageCount, await countDone(transaction, row)),
		...{ startedAt: row.started_at, completedAt: row.completed_at },
	};
}

const countDone = async (transaction: WorkspaceTransaction, row: ReindexRow): Promise<number> =>
	row.needs_clearing ? 0 : countReindexed(transaction, row.knowledge_base);

/** Starts a move, or resumes it. Vectors of the target that are there already stay; others are deleted first. */
export const startReindex: PostgresJob<StartReindexJob, void> = async (transaction, input) => {
	const knowledgeBase = await findKnowledgeBase(transaction, input.knowledgeBase);
	if (knowledgeBase === undefined) return;
	const row = await findReindexRow(transaction, input.knowledgeBase);
	const spare = row === undefined || row.needs_clearing ? undefined : parsePin(row.spare);
	const isReusable = spare !== undefined && spare !== null && isSameTarget(spare, input.target);
	const target = JSON.stringify(input.target);
	const resumed = row !== undefined && isActive(row) && row.target === target ? row : undefined;
	await deleteReindexRow(transaction, knowledgeBase);
	await transaction
		.insertInto("reindexes")
		.values({
			...{ knowledge_base: knowledgeBase, status: "running", target, error: null, completed_at: null },
			spare: isReusable && row ? row.spare : null,
			needs_clearing: row !== undefined && !isReusable && (row.needs_clearing || spare) ? 1 : 0,
			...{ payer: input.payer, actor: input.actor },
			...{ skipped: resumed?.skipped ?? 0, started_at: resumed?.started_at ?? input.now },
		})
		.execute();
	await transaction.insertInto("audit").values(toAuditRow(input.audit)).execute();
};

/** Stores vectors of the target, unless the move has stopped. Passages that are gone are left out. */
export const storeReindexed: PostgresJob<StoreReindexedInput, StoreReindexedResult> = async (
	transaction,
	input,
) => {
	const row = await findReindexRow(transaction, input.knowledgeBase);
	const target = row && parseColumn(row.target);
	if (!row || !isActive(row) || row.needs_clearing || !target || !isSameSpace(target, input.space))
		return "stopped";
	const length =
		parsePin(row.spare)?.length ?? input.vectors.find(({ values }) => values !== null)?.values?.length;
	if (length === undefined) return "length_unknown";
	if (input.vectors.some(({ values }) => values !== null && values.length !== length))
		return "length_changed";
	await insertMoved(transaction, row, input, length);
	const skipped = input.vectors.filter(({ values }) => values === null).length;
	await transaction
		.updateTable("reindexes")
		.set(({ eb }) => ({
			...{ status: "running", error: null, spare: JSON.stringify({ ...target, length }) },
			skipped: eb("skipped", "+", skipped),
		}))
		.where("knowledge_base", "=", row.knowledge_base)
		.execute();
	return "stored";
};

/** Inserts vectors into the slot that no search uses. A passage whose vector was refused gets one of zeros, which is like no other. */
async function insertMoved(
	transaction: WorkspaceTransaction,
	{ knowledge_base, vector_slot }: ReindexRow,
	{ vectors }: StoreReindexedInput,
	length: number,
): Promise<void> {
	const wanted = vectors.map(({ passage }) => passage);
	const passages = await transaction
		.selectFrom("passages")
		.select("number")
		.where("number", "=", sql<number>`any(${wanted}::bigint[])`)
		.execute();
	const known = new Set(passages.map(({ number }) => number));
	const moved = vectors
		.filter(({ passage }) => known.has(passage))
		.map(({ passage, values }) => ({ passage, values: values ?? new Float32Array(length) }));
	await insertVectors(transaction, knowledge_base, toOtherSlot(vector_slot), moved);
}

/** Makes the vectors of the target answer from now on, all at once, and keeps the former ones. */
export const completeReindex: PostgresJob<CompleteReindexJob, boolean> = async (
	transaction,
	{ knowledgeBase, now, audit },
) => {
	const row = await findReindexRow(transaction, knowledgeBase);
	if (row === undefined || !isActive(row) || row.needs_clearing) return false;
	const { knowledge_base: number, target, spare } = row;
	const other = toOtherSlot(row.vector_slot);
	if (target !== "null" && (await hasMissingVectors(transaction, number, other))) return false;
	const former = await transaction
		.selectFrom("knowledge_bases")
		.select("embedding")
		.where("number", "=", number)
		.executeTakeFirst();
	await transaction
		.updateTable("knowledge_bases")
		.set({ embedding: target === "null" ? "null" : spare, vector_slot: other, updated_at: now })
		.where("number", "=", number)
		.execute();
	await transaction
		.updateTable("reindexes")
		.set({ status: "completed", spare: former?.embedding ?? null, error: null, completed_at: now })
		.where("knowledge_base", "=", number)
		.execute();
	await transaction
		.insertInto("audit")
		.values(toAuditRow({ ...audit, actor: row.actor }))
		.execute();
	return true;
};

/** Stops a move, or drops what it kept; the vectors are deleted after that, a few at a time. */
export const dropReindex: PostgresJob<DropReindexJob, boolean> = async (
	transaction,
	{ knowledgeBase, audit },
) => {
	const row = await findReindexRow(transaction, knowledgeBase);
	if (row === undefined || row.status === "dropping") return false;
	await transaction
		.updateTable("reindexes")
		.set({ status: "dropping", needs_clearing: 1, error: null })
		.where("knowledge_base", "=", row.knowledge_base)
		.execute();
	await transaction.insertInto("audit").values(toAuditRow(audit)).execute();
	return true;
};

/** Deletes some of the vectors that no search uses, where they must go; after the last ones, a dropped move is no more. */
export const clearReindex: PostgresJob<string, boolean> = async (transaction, id) => {
	const row = await findReindexRow(transaction, id);
	if (row === undefined || !row.needs_clearing) return false;
	if (await clearSpareVectors(transaction, row)) return true;
	if (row.status === "dropping") await deleteReindexRow(transaction, row.knowledge_base);
	else
		await transaction
			.updateTable("reindexes")
			.set({ needs_clearing: 0 })
			.where("knowledge_base", "=", row.knowledge_base)
			.execute();
	return false;
};

/** @returns whether there may be more. */
async function clearSpareVectors(
	transaction: WorkspaceTransaction,
	{ knowledge_base, vector_slot }: ReindexRow,
): Promise<boolean> {
	const table = sql.table(toVectorTables(toOtherSlot(vector_slot)).vectors);
	const { numAffectedRows = 0n } = await sql`
		delete from ${table} vectors
		where ${ownRows("vectors")} and vectors.knowledge_base = ${knowledge_base} and vectors.number in (
			select spare.number from ${table} spare
			where ${ownRows("spare")} and spare.knowledge_base = ${knowledge_base}
			order by spare.number limit ${VECTORS_PER_CLEARING})`.execute(transaction);
	return Number(numAffectedRows) === VECTORS_PER_CLEARING;
}
