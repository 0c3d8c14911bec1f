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
import { readContent, readContents } from "../../read-content";

/**
 * Takes the next uploads from the queue that no instance has claimed, in their order; they stay in it until their passages
 * are there. Instances take turns: writers of one workspace do.
 */
export const claimUploads: PostgresJob<ClaimUploadsJob, readonly ClaimedUpload[]> = async (
	transaction,
	input,
) => {
	const waiting = await listQueued(transaction, input);
	const taken = takeWithinBytes(excludeSuspects(waiting), input.maxBytes);
	if (taken.length === 0) return [];
	await markClaimed(transaction, taken, input.now);
	if (input.owner !== undefined)
		await setOwner(
			transaction,
			taken.map(({ number }) => number),
			input.owner,
		);
	return readClaimed(transaction, taken);
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

/** Documents of uploads are being processed from now on; those that are read again stay as they are. */
async function markClaimed(
	transaction: WorkspaceTransaction,
	uploads: readonly WaitingUpload[],
	now: number,
): Promise<void> {
	const [reread, others] = [uploads.filter(isReread), uploads.filter((upload) => !isReread(upload))];
	if (reread.length > 0)
		await transaction
			.updateTable("uploads")
			.set({ rereading: REREADING.claimed })
			.where("number", "=", sql<number>`any(${reread.map(({ number }) => number)}::bigint[])`)
			.execute();
	if (others.length > 0)
		await transaction
			.updateTable("documents")
			.set({ status: "processing", updated_at: now })
			.where("number", "=", sql<number>`any(${others.map(({ document }) => document)}::bigint[])`)
			.execute();
}

const isReread = ({ rereading }: WaitingUpload): boolean => rereading !== REREADING.no;

/** Reads uploads with their files. */
async function readClaimed(
	transaction: WorkspaceTransaction,
	uploads: readonly WaitingUpload[],
): Promise<readonly ClaimedUpload[]> {
	const rows = await selectUploads(
		transaction,
		uploads.map(({ number }) => number),
	);
	const files = rows.map(({ original, size }) => ({ content: original ?? 0, size }));
	const contents =
		files.length === 1 && files[0] !== undefined
			? [await readContent(transaction, files[0].content, files[0].size)]
			: await readContents(transaction, files);
	const claimed: ClaimedUpload[] = [];
	for (const [index, { original, size, parent, keepsAttachments, ...upload }] of rows.entries()) {
		const separatesAttachments =
			keepsAttachments === 0 && (await countAncestors(transaction, parent)) < MAX_MAIL_DEPTH;
		claimed.push({ ...upload, separatesAttachments, content: contents[index] ?? new Uint8Array() });
	}
	return claimed;
}

const selectUploads = (transaction: WorkspaceTransaction, numbers: readonly number[]) =>
	transaction
		.selectFrom("uploads")
		.innerJoin("documents", "documents.number", "uploads.document")
		.select(["uploads.number", "attempts", "original_content as original", "given_title as givenTitle"])
		.select(["file_name as fileName", "source", "format", "parent", "size_bytes as size"])
		.select(["keeps_attachments as keepsAttachments", sql<number>`vendor_failures`.as("vendorFailures")])
		.where("uploads.number", "=", sql<number>`any(${numbers}::bigint[])`)
		.orderBy("uploads.number")
		.execute();

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
