import type { EmbeddingSpace } from "@stemma/routing";
import { sql } from "kysely";
import { isPinnedTo } from "../../../../../knowledge/embeddings/pinned-space";
import { describeSpaceChange } from "../../../../../knowledge/embeddings/space-change";
import type { RecoverInput } from "../../../../../knowledge/repositories/upload-repository";
import { REREADING } from "../../../../sqlite/knowledge/jobs/uploads/insert-upload";
import { isLiving } from "../../../claims/claim-conditions";
import { ownRows } from "../../../own-rows-plugin";
import type { PostgresJob } from "../../../postgres-job";
import type { WorkspaceTransaction } from "../../../workspace-transaction";
import { isMoving } from "../../reindex/reindex-rows";
import { advancePassageNumbers } from "../../shared-passage-numbers";
import { readPin, unpinIfEmpty } from "../embedding-pins";
import { failUpload } from "./upload-rows";

/**
 * Queues the uploads again that were being read when their process ended, and those of instances whose lease is over;
 * returns the number for the next passage. What an instance had claimed gets another number: where it is still at it,
 * nothing of it is stored any more.
 */
export const recoverUploads: PostgresJob<RecoverInput, number> = async (transaction, { space, now }) => {
	await requeueInterrupted(transaction, await listInterrupted(transaction));
	const bases = await transaction
		.selectFrom("documents")
		.innerJoin("uploads", "uploads.document", "documents.number")
		.select("knowledge_base")
		.distinct()
		.execute();
	for (const { knowledge_base } of bases) await reassignUploads(transaction, knowledge_base, space, now);
	const next = (await readLastPassage(transaction)) + 1;
	await advancePassageNumbers(transaction, next);
	return next;
};

/** Upload that nobody goes on with. */
interface InterruptedUpload {
	readonly number: number;
	readonly document: number;
	/** 1 where it was being read, so that it may be why the process ended. */
	readonly is_poison_candidate: number;
}

async function listInterrupted(transaction: WorkspaceTransaction): Promise<readonly InterruptedUpload[]> {
	const isPoisonCandidate = sql<boolean>`(uploads.rereading = ${REREADING.claimed} or documents.status = 'processing')`;
	const { rows } = await sql<InterruptedUpload>`
		select uploads.number, uploads.document, ${isPoisonCandidate}::integer as is_poison_candidate
		from uploads join documents on documents.number = uploads.document and ${ownRows("documents")}
		where ${ownRows("uploads")}
			and case when owner is null then ${isPoisonCandidate} else not ${isLiving(sql.ref("uploads.owner"))} end`.execute(
		transaction,
	);
	return rows;
}

async function requeueInterrupted(
	transaction: WorkspaceTransaction,
	interrupted: readonly InterruptedUpload[],
): Promise<void> {
	if (interrupted.length === 0) return;
	const numbers = interrupted.map(({ number }) => number);
	const candidates = interrupted
		.filter(({ is_poison_candidate }) => is_poison_candidate === 1)
		.map(({ number }) => number);
	await sql`
		update documents set status = 'queued' where ${ownRows("documents")} and status = 'processing'
			and number = any(${interrupted.map(({ document }) => document)}::bigint[])`.execute(transaction);
	// Nobody goes on with what is half written.
	await sql`
		update passage_sweeps set upload = null
		where ${ownRows("passage_sweeps")} and upload = any(${numbers}::bigint[])`.execute(transaction);
	await sql`
		update uploads set attempts = greatest(attempts, 1)
		where ${ownRows("uploads")} and number = any(${candidates}::bigint[])`.execute(transaction);
	await sql`
		update uploads set rereading = ${REREADING.waiting}
		where ${ownRows("uploads")} and number = any(${numbers}::bigint[]) and rereading = ${REREADING.claimed}`.execute(
		transaction,
	);
	await sql`
		update uploads set owner = null, number = default
		where ${ownRows("uploads")} and number = any(${numbers}::bigint[]) and owner is not null`.execute(
		transaction,
	);
}

/** Reads the highest number that a passage has, or had and is swept. */
async function readLastPassage(transaction: WorkspaceTransaction): Promise<number> {
	const passages = await transaction
		.selectFrom("passages")
		.select(({ fn }) => fn.max("number").as("last"))
		.executeTakeFirst();
	const sweeps = await transaction
		.selectFrom("passage_sweeps")
		.select(({ fn }) => fn.max("last").as("last"))
		.executeTakeFirst();
	return Math.max(passages?.last ?? 0, sweeps?.last ?? 0);
}

/** The embedding model may be another than when they were uploaded. */
async function reassignUploads(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
	space: EmbeddingSpace | null,
	now: number,
): Promise<void> {
	await unpinIfEmpty(transaction, knowledgeBase);
	const pin = await readPin(transaction, knowledgeBase);
	const isMovingNow = await isMoving(transaction, knowledgeBase);
	if (!isMovingNow && pin && !(space && isPinnedTo(pin, space))) {
		const error = describeSpaceChange(pin, space);
		for (const upload of await listUploads(transaction, knowledgeBase))
			await failUpload(transaction, upload, error, now);
	}
	const uploads = await listUploads(transaction, knowledgeBase);
	await transaction
		.updateTable("uploads")
		.set({ with_vectors: !isMovingNow && space !== null && pin !== null ? 1 : 0 })
		.where("number", "=", sql<number>`any(${uploads}::bigint[])`)
		.execute();
}

async function listUploads(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
): Promise<readonly number[]> {
	const rows = await transaction
		.selectFrom("uploads")
		.innerJoin("documents", "documents.number", "uploads.document")
		.select("uploads.number")
		.where("knowledge_base", "=", knowledgeBase)
		.execute();
	return rows.map(({ number }) => number);
}
