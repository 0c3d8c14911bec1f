import type { RunError } from "@stemma/core";
import { sql } from "kysely";
import { type InsertUploadOptions, REREADING } from "../../../../sqlite/knowledge/jobs/uploads/insert-upload";
import { toVersionsJson } from "../../../../sqlite/knowledge/outdated-documents";
import { type ColumnTypes, insertRows } from "../../../connection/row-arrays";
import { ownRows } from "../../../own-rows-plugin";
import type { WorkspaceTransaction } from "../../../workspace-transaction";

/**
 * Inserts an upload at the end of its queue, in place of an earlier upload for the same document. The document's original
 * is what will be read.
 *
 * @returns its number.
 */
export async function insertUpload(
	transaction: WorkspaceTransaction,
	document: number,
	{ hasVectors, rereading = REREADING.no, keepsAttachments = false }: InsertUploadOptions,
): Promise<number> {
	await transaction.deleteFrom("uploads").where("document", "=", document).execute();
	const { number } = await transaction
		.insertInto("uploads")
		.values({
			...{ document, with_vectors: hasVectors ? 1 : 0, rereading },
			keeps_attachments: keepsAttachments ? 1 : 0,
		})
		.returning("number")
		.executeTakeFirstOrThrow();
	return number;
}

const UPLOAD_TYPES = { document: "bigint", with_vectors: "integer" } satisfies ColumnTypes<string>;

/** Inserts uploads for new documents, in their order. @param documents - numbers. */
export const insertUploads = (
	transaction: WorkspaceTransaction,
	documents: readonly number[],
	hasVectors: boolean,
): Promise<void> =>
	insertRows(
		transaction,
		"uploads",
		UPLOAD_TYPES,
		documents.map((document) => ({ document, with_vectors: hasVectors ? 1 : 0 })),
	);

/** Sets the status of the document of an upload to `queued`. */
export async function setQueued(transaction: WorkspaceTransaction, document: number): Promise<void> {
	await transaction
		.updateTable("documents")
		.set({ status: "queued" })
		.where("number", "=", document)
		.execute();
}

/**
 * Fails an upload. Its document stays listed with the reason, and shows the passages that it had before. One that was read
 * again stays as it is, and is not tried once more by the same reader.
 */
export async function failUpload(
	transaction: WorkspaceTransaction,
	upload: number,
	error: RunError,
	now: number,
): Promise<void> {
	await transaction
		.updateTable("documents")
		.set({ status: "failed", error: JSON.stringify(error), updated_at: now })
		.where("number", "=", (query) =>
			query
				.selectFrom("uploads")
				.select("document")
				.where("number", "=", upload)
				.where("rereading", "=", REREADING.no),
		)
		.execute();
	await setReaderVersion(transaction, upload);
	await deleteUpload(transaction, upload);
}

async function deleteUpload(transaction: WorkspaceTransaction, upload: number): Promise<void> {
	await transaction.deleteFrom("uploads").where("number", "=", upload).execute();
}

/** Notes that the document of an upload was read by the reader of today. */
async function setReaderVersion(transaction: WorkspaceTransaction, upload: number): Promise<void> {
	await sql`
		update documents set reader_version = greatest(reader_version, coalesce((${toVersionsJson()}::jsonb ->> format)::integer, 1))
		where ${ownRows("documents")}
			and number = (select document from uploads where ${ownRows("uploads")} and number = ${upload})`.execute(
		transaction,
	);
}
