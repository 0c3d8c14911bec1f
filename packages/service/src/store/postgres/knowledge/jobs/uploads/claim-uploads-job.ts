import { sql } from "kysely";
import type { ClaimedUpload } from "../../../../../knowledge/repositories/upload-repository";
import {
	type ClaimUploadsJob,
	excludeSuspects,
	MAX_MAIL_DEPTH,
	takeWithinBytes,
	type WaitingUpload,
} from "../../../../sqlite/knowledge/jobs/uploads/claim-uploads-job";
import { REREADING } from "../../../../sqlite/knowledge/jobs/uploads/insert-upload";
import { UPLOADS_CLAIM_KIND } from "../../../claims/claim-conditions";
import { ownRows } from "../../../own-rows-plugin";
import type { PostgresJob } from "../../../postgres-job";
import type { WorkspaceTransaction } from "../../../workspace-transaction";
import { readContent } from "../../content-chunks";

/**
 * Takes the next uploads from the queue that no instance has claimed, in their order; they stay in it until their passages
 * are there. Instances take turns: writers of one workspace do.
 */
export const claimUploads: PostgresJob<ClaimUploadsJob, readonly ClaimedUpload[]> = async (
	transaction,
	input,
) => {
	const waiting = await listQueued(transaction, input);
	const claimed: ClaimedUpload[] = [];
	for (const upload of takeWithinBytes(excludeSuspects(waiting), input.maxBytes))
		claimed.push(await claimUpload(transaction, upload, input.now));
	if (input.owner !== undefined && claimed.length > 0)
		await setOwner(
			transaction,
			claimed.map(({ number }) => number),
			input.owner,
		);
	return claimed;
};

/** Stores which instance has uploads, and that it has some in this workspace: others take over once its lease is over. */
async function setOwner(
	transaction: WorkspaceTransaction,
	uploads: readonly number[],
	owner: string,
): Promise<void> {
	await sql`update uploads set owner = ${owner}
		where ${ownRows("uploads")} and number = any(${uploads}::bigint[])`.execute(transaction);
	await sql`
		insert into stemma_deployment.claims (workspace, kind, id, owner)
		values (current_setting('stemma.workspace'), ${UPLOADS_CLAIM_KIND}, ${owner}, ${owner})
		on conflict do nothing`.execute(transaction);
}

const listQueued = (
	transaction: WorkspaceTransaction,
	{ hasVectors, after, excluded, maxDocuments }: ClaimUploadsJob,
): Promise<readonly WaitingUpload[]> =>
	transaction
		.selectFrom("uploads")
		.innerJoin("documents", "documents.number", "uploads.document")
		.select(["uploads.number", "document", "size_bytes as size", "attempts", "rereading"])
		.where("with_vectors", "=", hasVectors ? 1 : 0)
		.where(sql<boolean>`uploads.owner is null`)
		.where("uploads.number", ">", after)
		.where("uploads.number", "!=", sql<number>`all(${excluded}::bigint[])`)
		.orderBy("uploads.number")
		.limit(maxDocuments)
		.execute();

async function claimUpload(
	transaction: WorkspaceTransaction,
	{ number, document, size, rereading }: WaitingUpload,
	now: number,
): Promise<ClaimedUpload> {
	if (rereading)
		await transaction
			.updateTable("uploads")
			.set({ rereading: REREADING.claimed })
			.where("number", "=", number)
			.execute();
	else
		await transaction
			.updateTable("documents")
			.set({ status: "processing", updated_at: now })
			.where("number", "=", document)
			.execute();
	const { original, parent, keepsAttachments, ...upload } = await selectUpload(transaction, number);
	const separatesAttachments =
		keepsAttachments === 0 && (await countAncestors(transaction, parent)) < MAX_MAIL_DEPTH;
	const content = await readContent(transaction, original ?? 0, size);
	return { ...upload, separatesAttachments, content };
}

const selectUpload = (transaction: WorkspaceTransaction, number: number) =>
	transaction
		.selectFrom("uploads")
		.innerJoin("documents", "documents.number", "uploads.document")
		.select(["uploads.number", "attempts", "original_content as original", "given_title as givenTitle"])
		.select(["file_name as fileName", "source", "format", "parent"])
		.select(["keeps_attachments as keepsAttachments", sql<number>`vendor_failures`.as("vendorFailures")])
		.where("uploads.number", "=", number)
		.executeTakeFirstOrThrow();

/** Counts the mails that a document is within. */
async function countAncestors(transaction: WorkspaceTransaction, parent: number | null): Promise<number> {
	if (parent === null) return 0;
	const row = await transaction
		.selectFrom("documents")
		.select("parent")
		.where("number", "=", parent)
		.executeTakeFirst();
	return 1 + (await countAncestors(transaction, row?.parent ?? null));
}
