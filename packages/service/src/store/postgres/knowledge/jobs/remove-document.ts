import type { WorkspaceTransaction } from "../../workspace-transaction";
import { unpinIfEmpty } from "./embedding-pins";
import { insertSweeps } from "./insert-sweep";
import { replaceContents } from "./replace-contents";

/** Takes a document with its attachments out of all lists and searches; their passages are swept later. */
export async function removeDocument(transaction: WorkspaceTransaction, number: number): Promise<void> {
	const row = await transaction
		.selectFrom("documents")
		.select(["knowledge_base", "first_passage as first", "passage_count as count"])
		.where("number", "=", number)
		.executeTakeFirst();
	if (row === undefined) return;
	const children = await transaction
		.selectFrom("documents")
		.select("number")
		.where("parent", "=", number)
		.execute();
	for (const child of children) await removeDocument(transaction, child.number);
	await insertSweeps(transaction, [
		{ knowledgeBase: row.knowledge_base, first: row.first, count: row.count },
	]);
	await transaction.deleteFrom("uploads").where("document", "=", number).execute();
	await replaceContents(transaction, number, { original_content: null, text_content: null });
	await transaction.deleteFrom("documents").where("number", "=", number).execute();
	await addPassageCount(transaction, row.knowledge_base, -row.count);
	await unpinIfEmpty(transaction, row.knowledge_base);
}

/** Adds to the number of passages that documents of a knowledge base show. */
export async function addPassageCount(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
	count: number,
): Promise<void> {
	await transaction
		.updateTable("knowledge_bases")
		.set(({ eb }) => ({ passage_count: eb("passage_count", "+", count) }))
		.where("number", "=", knowledgeBase)
		.execute();
}
