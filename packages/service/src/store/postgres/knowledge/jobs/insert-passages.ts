import { toPlaceColumns } from "../../../repositories/knowledge/passage-place";
import type { NewPassages } from "../../../sqlite/knowledge/jobs/store-passages-job";
import { type ColumnTypes, insertRows } from "../../connection/row-arrays";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import type { CollectedWords } from "../word-index/collected-words";
import { insertWords } from "../word-index/word-index";

/** Passages that follow one another, of one document. */
export interface DocumentPassages extends NewPassages {
	/** Number of the document. */
	readonly document: number;
}

const PASSAGE_TYPES = {
	...{ number: "bigint", document: "bigint", page: "bigint", heading: "text" },
	...{ start_offset: "bigint", end_offset: "bigint", text: "text", file_place: "text" },
} satisfies ColumnTypes<string>;

/** Inserts passages of documents of one knowledge base, with statements that are sent together. @param words - of these passages. */
export async function insertPassages(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
	documents: readonly DocumentPassages[],
	words: CollectedWords,
): Promise<void> {
	const rows = documents.flatMap(({ document, first, passages }) =>
		passages.map(({ place, text }, index) => ({
			...{ number: first + index, document, text },
			...toPlaceColumns(place),
		})),
	);
	await Promise.all([
		insertRows(transaction, "passages", PASSAGE_TYPES, rows),
		insertWords(transaction, knowledgeBase, words),
	]);
}
