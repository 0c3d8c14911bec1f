import { toIndexText } from "@stemma/documents";
import { toPlaceColumns } from "../../../repositories/knowledge/passage-place";
import type { NewPassages, UploadedDocument } from "../../../sqlite/knowledge/jobs/store-passages-job";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { insertWords } from "../search/word-index";

/** Passages that one statement inserts: a statement has at most 65,535 parameters. */
const ROWS_PER_STATEMENT = 500;

/** Inserts passages of a document with their words. */
export async function insertPassages(
	transaction: WorkspaceTransaction,
	document: UploadedDocument,
	{ first, title, passages }: NewPassages,
): Promise<void> {
	const titleWords = toIndexText(title);
	for (let start = 0; start < passages.length; start += ROWS_PER_STATEMENT) {
		const group = passages.slice(start, start + ROWS_PER_STATEMENT);
		const rows = group.map(({ place, text }, index) => ({
			number: first + start + index,
			document: document.number,
			text,
			...toPlaceColumns(place),
		}));
		await transaction.insertInto("passages").values(rows).execute();
		const words = group.map(({ place, text, indexText = text }) => ({
			title: titleWords,
			heading: toIndexText(place.heading ?? ""),
			text: indexText,
		}));
		await insertWords(transaction, document.knowledge_base, first + start, words);
	}
}
