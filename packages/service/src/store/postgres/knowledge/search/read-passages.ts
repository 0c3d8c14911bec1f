import type { FoundPassage } from "@stemma/client";
import { sql } from "kysely";
import type { Hit } from "../../../../knowledge/search/hit";
import { parseColumn } from "../../../json-column";
import { type PassageRow, toFoundPassage } from "../../../sqlite/knowledge/search/read-passage";
import { ownRows } from "../../own-rows-plugin";
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

/** Looks up one row after another: a planner that knows too little of new tables would read all of them. */
async function selectPassages(
	transaction: WorkspaceTransaction,
	numbers: readonly number[],
): Promise<readonly PassageRow[]> {
	const { rows } = await sql<PassageRow>`
		select passages.number, first_passage, page, heading, start_offset, end_offset, file_place, text, title, source,
			metadata, documents.id as document_id, bases.id as knowledge_base_id, slug as knowledge_base
		from unnest(${numbers}::bigint[]) as wanted (number)
		cross join lateral (
			select * from passages where ${ownRows("passages")} and passages.number = wanted.number limit 1
		) as passages
		cross join lateral (
			select * from documents where ${ownRows("documents")} and documents.number = passages.document limit 1
		) as documents
		cross join lateral (
			select id, slug from knowledge_bases
			where ${ownRows("knowledge_bases")} and knowledge_bases.number = documents.knowledge_base limit 1
		) as bases
		where passages.number between first_passage and first_passage + documents.passage_count - 1`.execute(
		transaction,
	);
	return rows;
}
