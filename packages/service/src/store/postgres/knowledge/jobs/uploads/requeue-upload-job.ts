import { sql } from "kysely";
import type { RequeuedUpload } from "../../../../../knowledge/repositories/upload-repository";
import { REREADING } from "../../../../sqlite/knowledge/jobs/uploads/insert-upload";
import { ownRows } from "../../../own-rows-plugin";
import type { PostgresJob } from "../../../postgres-job";
import type { WorkspaceTransaction } from "../../../workspace-transaction";
import { insertUpload, setQueued } from "./upload-rows";

/**
 * Moves an upload to the end of the queue for vectors. What is half written for the old upload can be swept away.
 *
 * @returns the number of the new upload; `null` where the upload was deleted or replaced.
 */
export const requeueUpload: PostgresJob<RequeuedUpload, number | null> = async (
	transaction,
	{ upload, vendorFailures },
) => {
	const row = await findUpload(transaction, upload);
	if (row === undefined) return null;
	await setQueued(transaction, row.document);
	const number = await insertUpload(transaction, row.document, { hasVectors: true });
	await sql`update uploads set vendor_failures = ${vendorFailures}
		where ${ownRows("uploads")} and number = ${number}`.execute(transaction);
	return number;
};

/** Queues an upload to be read once more, with attachments as part of its text. */
export async function requeueWithAttachments(
	transaction: WorkspaceTransaction,
	upload: number,
): Promise<void> {
	const row = await findUpload(transaction, upload);
	if (row === undefined) return;
	const { document, with_vectors, rereading } = row;
	if (rereading === REREADING.no) await setQueued(transaction, document);
	await insertUpload(transaction, document, {
		hasVectors: with_vectors === 1,
		rereading: rereading === REREADING.no ? REREADING.no : REREADING.waiting,
		keepsAttachments: true,
	});
}

const findUpload = (transaction: WorkspaceTransaction, upload: number) =>
	transaction
		.selectFrom("uploads")
		.select(["document", "with_vectors", "rereading"])
		.where("number", "=", upload)
		.executeTakeFirst();
