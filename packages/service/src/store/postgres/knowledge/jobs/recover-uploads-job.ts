import type { EmbeddingSpace } from "@stemma/routing";
import { sql } from "kysely";
import { isPinnedTo } from "../../../../knowledge/embeddings/pinned-space";
import { describeSpaceChange } from "../../../../knowledge/embeddings/space-change";
import type { RecoverInput } from "../../../../knowledge/repositories/upload-repository";
import { REREADING } from "../../../sqlite/knowledge/jobs/insert-upload";
import { ownRows } from "../../own-rows-plugin";
import type { PostgresJob } from "../../postgres-job";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { isMoving } from "../reindex/reindex-rows";
import { readPin, unpinIfEmpty } from "./embedding-pins";
import { failUpload } from "./upload-rows";

/** Queues the uploads again that were being read when the process ended; returns the number for the next passage. */
export const recoverUploads: PostgresJob<RecoverInput, number> = async (transaction, { space, now }) => {
	await sql`
		update uploads set attempts = greatest(attempts, 1)
		where ${ownRows("uploads")} and (rereading = ${REREADING.claimed} or document in
			(select number from documents where ${ownRows("documents")} and status = 'processing'))`.execute(
		transaction,
	);
	await transaction
		.updateTable("uploads")
		.set({ rereading: REREADING.waiting })
		.where("rereading", "=", REREADING.claimed)
		.execute();
	await transaction
		.updateTable("documents")
		.set({ status: "queued" })
		.where("status", "=", "processing")
		.where("number", "in", (query) => query.selectFrom("uploads").select("document"))
		.execute();
	// Nobody goes on with what is half written.
	await transaction
		.updateTable("passage_sweeps")
		.set({ upload: null })
		.where("upload", "is not", null)
		.execute();
	const bases = await transaction
		.selectFrom("documents")
		.innerJoin("uploads", "uploads.document", "documents.number")
		.select("knowledge_base")
		.distinct()
		.execute();
	for (const { knowledge_base } of bases) await reassignUploads(transaction, knowledge_base, space, now);
	return (await readLastPassage(transaction)) + 1;
};

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
