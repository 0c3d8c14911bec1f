import type { FoundPassage } from "@stemma/client";
import type { JsonObject } from "@stemma/core";
import { toPassageId } from "../../../../knowledge/passage-id";
import type { Hit } from "../../../../knowledge/search/hit";
import type { JobFile } from "../../../job-file";
import { type JsonColumn, parseColumn } from "../../../json-column";

interface PassageRow {
	readonly number: number;
	readonly first_passage: number;
	readonly page: number | null;
	readonly heading: string | null;
	readonly start_offset: number;
	readonly end_offset: number;
	readonly text: string;
	readonly document_id: string;
	readonly knowledge_base_id: string;
	readonly title: string;
	readonly source: string | null;
	readonly metadata: JsonColumn<JsonObject>;
}

const SELECT_PASSAGE =
	"SELECT passages.number, first_passage, page, heading, start_offset, end_offset, text, documents.id AS document_id," +
	" knowledge_bases.id AS knowledge_base_id, title, source, metadata FROM passages" +
	" JOIN documents ON documents.number = passages.document" +
	" JOIN knowledge_bases ON knowledge_bases.number = documents.knowledge_base" +
	" WHERE passages.number = ? AND passages.number - first_passage BETWEEN 0 AND documents.passage_count - 1";

/** Reads a passage that was found; `undefined` where no document shows it, any more or yet. */
export function readPassage(file: JobFile, hit: Hit): FoundPassage | undefined {
	const row = file.prepare<PassageRow>(SELECT_PASSAGE).get(hit.number);
	if (row === undefined) return undefined;
	return toFoundPassage(row, parseColumn(row.metadata), hit.score);
}

const toFoundPassage = (row: PassageRow, metadata: JsonObject, score: number): FoundPassage => ({
	passage_id: toPassageId(row.document_id, row.number - row.first_passage),
	document_id: row.document_id,
	knowledge_base_id: row.knowledge_base_id,
	title: row.title,
	source: row.source,
	place: {
		...(row.page !== null && { page: row.page }),
		...(row.heading !== null && { heading: row.heading }),
		start: row.start_offset,
		end: row.end_offset,
	},
	text: row.text,
	score,
	metadata,
});
