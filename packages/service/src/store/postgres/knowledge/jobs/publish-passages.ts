import type { PassagesPart } from "../../../../knowledge/repositories/passage-repository";
import type { UploadedDocument } from "../../../sqlite/knowledge/jobs/store-passages-job";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { insertText } from "../content-chunks";
import { insertSweep } from "./insert-sweep";
import { addPassageCount } from "./remove-document";
import { replaceContents } from "./replace-contents";
import { storeAttachments } from "./store-attachments";
import { deleteUpload, setReaderVersion } from "./upload-rows";

/** Lets a document show the passages that were stored from now on, and the old ones no more. */
export async function publishPassages(
	transaction: WorkspaceTransaction,
	document: UploadedDocument,
	part: PassagesPart,
	title: string,
	now: number,
): Promise<void> {
	const { range, upload, unreadPages = null } = part;
	const { number, knowledge_base: knowledgeBase } = document;
	await transaction
		.updateTable("documents")
		.set({
			...{ title, status: "ready", error: null, updated_at: now },
			...{ first_passage: range.first, passage_count: range.count },
			unread_pages: unreadPages && JSON.stringify(unreadPages),
		})
		.where("number", "=", number)
		.execute();
	const text = part.text === undefined ? document.original_content : await insertText(transaction, part.text);
	await replaceContents(transaction, number, { text_content: text });
	await setReaderVersion(transaction, upload);
	await deleteUpload(transaction, upload);
	await transaction.deleteFrom("passage_sweeps").where("first", "=", range.first).execute();
	await storeAttachments(
		transaction,
		{ number, title, attachments: part.attachments ?? [] },
		{ knowledgeBase, hasVectors: part.vectors !== undefined, now },
	);
	await insertSweep(transaction, knowledgeBase, {
		first: document.first_passage,
		count: document.passage_count,
	});
	await addPassageCount(transaction, knowledgeBase, range.count - document.passage_count);
}
