import { sql } from "kysely";
import { ownRows } from "../../own-rows-plugin";
import type { PostgresJob } from "../../postgres-job";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { deleteVectors } from "../search/passage-vectors";
import { deleteWords, dropWordIndex } from "../word-index/word-index";
import { mergeNextSegments } from "../word-index/word-segments";
import { insertSweeps } from "./insert-sweep";
import { removeDocument } from "./remove-document";

/** Maximum that one transaction sweeps, so that other work need not wait long. */
const PASSAGES_PER_SWEEP = 300;
const DOCUMENTS_PER_SWEEP = 200;
const CHUNKS_PER_SWEEP = 32;

/**
 * Sweeps away some of what was deleted: passages first, then files and texts, then documents of deleted knowledge bases; then
 * merges segments of word indexes. The space of rows is the database's own affair.
 */
export const sweep: PostgresJob<unknown, boolean> = async (transaction) =>
	(await sweepPassages(transaction)) ||
	(await sweepContents(transaction)) ||
	(await sweepKnowledgeBase(transaction)) ||
	(await mergeNextSegments(transaction));

async function sweepPassages(transaction: WorkspaceTransaction): Promise<boolean> {
	const range = await transaction
		.selectFrom("passage_sweeps")
		.leftJoin("uploads", "uploads.number", "passage_sweeps.upload")
		.select(["first", "last", "knowledge_base"])
		.where("uploads.number", "is", null)
		.orderBy("first")
		.limit(1)
		.executeTakeFirst();
	if (range === undefined) return false;
	const { first, last, knowledge_base: knowledgeBase } = range;
	const count = Math.min(last - first + 1, PASSAGES_PER_SWEEP);
	await deleteWords(transaction, knowledgeBase, { first, count });
	await deleteVectors(transaction, knowledgeBase, { first, count });
	await transaction
		.deleteFrom("passages")
		.where("number", ">=", first)
		.where("number", "<", first + count)
		.execute();
	await transaction.deleteFrom("passage_sweeps").where("first", "=", first).execute();
	const next = first + count;
	await insertSweeps(transaction, [{ knowledgeBase, first: next, count: last - next + 1 }]);
	return true;
}

async function sweepContents(transaction: WorkspaceTransaction): Promise<boolean> {
	let left = CHUNKS_PER_SWEEP;
	while (left > 0) {
		const row = await transaction.selectFrom("content_sweeps").select("content").limit(1).executeTakeFirst();
		if (row === undefined) break;
		left -= await deleteChunks(transaction, row.content, left);
		if (left <= 0) break;
		await transaction.deleteFrom("contents").where("number", "=", row.content).execute();
		await transaction.deleteFrom("content_sweeps").where("content", "=", row.content).execute();
		left -= 1;
	}
	return left < CHUNKS_PER_SWEEP;
}

async function deleteChunks(
	transaction: WorkspaceTransaction,
	content: number,
	limit: number,
): Promise<number> {
	const { numAffectedRows = 0n } = await sql`
		delete from content_chunks where ${ownRows("content_chunks")} and content = ${content} and position in
			(select position from content_chunks where ${ownRows("content_chunks")} and content = ${content}
			order by position limit ${limit})`.execute(transaction);
	return Number(numAffectedRows);
}

async function sweepKnowledgeBase(transaction: WorkspaceTransaction): Promise<boolean> {
	const base = await transaction
		.selectFrom("knowledge_bases")
		.select("number")
		.where("deleted_at", "is not", null)
		.limit(1)
		.executeTakeFirst();
	if (base === undefined) return false;
	const documents = await transaction
		.selectFrom("documents")
		.select("number")
		.where("knowledge_base", "=", base.number)
		.limit(DOCUMENTS_PER_SWEEP)
		.execute();
	for (const { number } of documents) await removeDocument(transaction, number);
	if (documents.length < DOCUMENTS_PER_SWEEP) {
		await transaction.deleteFrom("knowledge_bases").where("number", "=", base.number).execute();
		await dropWordIndex(transaction, base.number);
	}
	return true;
}
