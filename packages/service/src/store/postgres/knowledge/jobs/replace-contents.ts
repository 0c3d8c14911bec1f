import type { DocumentTable } from "../../../sqlite/knowledge/knowledge-tables";
import type { WorkspaceTransaction } from "../../workspace-transaction";

type DocumentContents = Pick<DocumentTable, "original_content" | "text_content">;

/** Replaces contents of a document. Those that it shows no more are swept away later. */
export async function replaceContents(
	transaction: WorkspaceTransaction,
	document: number,
	change: Partial<DocumentContents>,
): Promise<void> {
	const before = await transaction
		.selectFrom("documents")
		.select(["original_content", "text_content"])
		.where("number", "=", document)
		.executeTakeFirst();
	if (before === undefined) return;
	const after = { ...before, ...change };
	await transaction.updateTable("documents").set(after).where("number", "=", document).execute();
	const shown = [after.original_content, after.text_content];
	const gone = [...new Set([before.original_content, before.text_content])]
		.filter((content) => content !== null)
		.filter((content) => !shown.includes(content));
	if (gone.length > 0)
		await transaction
			.insertInto("content_sweeps")
			.values(gone.map((content) => ({ content })))
			.execute();
}
