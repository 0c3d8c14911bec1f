import type { ReadAttachment } from "../../../../knowledge/repositories/passage-repository";
import type { DocumentContext } from "../../../sqlite/knowledge/jobs/document-rows";
import {
	type ChildRow,
	planAttachments,
	type StoredMail,
} from "../../../sqlite/knowledge/jobs/store-attachments";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { findDocumentRoom, insertDocument } from "./document-rows";
import { removeDocument } from "./remove-document";

/** Checks whether the attachments that a document has now fit in, in place of those that it had. */
export async function hasRoomForAttachments(
	transaction: WorkspaceTransaction,
	parent: number,
	attachments: readonly ReadAttachment[] = [],
	maxDocuments = Number.POSITIVE_INFINITY,
): Promise<boolean> {
	if (attachments.length === 0) return true;
	const more = attachments.length - (await listChildren(transaction, parent)).length;
	return more <= 0 || (await findDocumentRoom(transaction, maxDocuments, more)) === more;
}

/**
 * Queues the attachments of a document as documents of their own. Those that it had before stay as they are, and those
 * that are gone are removed.
 */
export async function storeAttachments(
	transaction: WorkspaceTransaction,
	mail: StoredMail,
	context: DocumentContext,
): Promise<void> {
	const { added, removed } = planAttachments(mail, await listChildren(transaction, mail.number));
	for (const number of removed) await removeDocument(transaction, number);
	if (added.length === 0) return;
	const { metadata } = await transaction
		.selectFrom("documents")
		.select("metadata")
		.where("number", "=", mail.number)
		.executeTakeFirstOrThrow();
	for (const document of added)
		await insertDocument(transaction, context, { ...document, metadata }, { parent: mail.number });
}

const listChildren = (transaction: WorkspaceTransaction, parent: number): Promise<readonly ChildRow[]> =>
	transaction
		.selectFrom("documents")
		.select(["number", "content_sha256 as sha256", "format", "given_title as givenTitle"])
		.where("parent", "=", parent)
		.orderBy("number")
		.execute();
