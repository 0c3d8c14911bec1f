import type { FoundPassage } from "@stemma/client";
import { sql } from "kysely";
import type { Hit } from "../../../../knowledge/search/hit";
import { parseColumn } from "../../../json-column";
import { type PassageRow, toFoundPassage } from "../../../sqlite/knowledge/search/read-passage";
import type { WorkspaceTransaction } from "../../workspace-transaction";

/** Reads the passages that were found, in their order; those that no document shows, any more or yet, are left out. */
export async function readPassages(
	transaction: WorkspaceTransaction,
	hits: readonly Hit[],
): Promise<readonly FoundPassage[]> {
	if (hits.length === 0) return [];
	const rows = await selectPassages(
		transaction,
		hits.map(({ number }) => number),
	);
	const byNumber = new Map(rows.map((row) => [row.number, row]));
	return hits.flatMap(({ number, score }) => {
		const row = byNumber.get(number);
		return row === undefined ? [] : [toFoundPassage(row, parseColumn(row.metadata), score)];
	});
}

const selectPassages = (
	transaction: WorkspaceTransaction,
	numbers: readonly number[],
): Promise<readonly PassageRow[]> =>
	transaction
		.selectFrom("passages")
		.innerJoin("documents", "documents.number", "passages.document")
		.innerJoin("knowledge_bases", "knowledge_bases.number", "documents.knowledge_base")
		.select(["passages.number", "first_passage", "page", "heading", "start_offset", "end_offset"])
		.select(["file_place", "text", "title", "source", "metadata", "documents.id as document_id"])
		.select(["knowledge_bases.id as knowledge_base_id", "knowledge_bases.slug as knowledge_base"])
		.where("passages.number", "=", sql<number>`any(${numbers}::bigint[])`)
		.whereRef("passages.number", ">=", "first_passage")
		.where(({ eb, ref }) =>
			eb("passages.number", "<", eb(ref("first_passage"), "+", ref("documents.passage_count"))),
		)
		.execute();
