import type { FoundPassage } from "@stemma/client";
import type { JsonObject } from "@stemma/core";
import { toCitableUrl } from "../../../../knowledge/citable-url";
import { toPassageId } from "../../../../knowledge/passage-id";
import type { Hit } from "../../../../knowledge/search/hit";
import type { JobFile } from "../../../job-file";
import { type JsonColumn, parseColumn } from "../../../json-column";
import { type PlaceColumns, parsePlace } from "../../../repositories/knowledge/passage-place";

/** Row of a passage with its document and knowledge base. */
export interface PassageRow extends PlaceColumns {
	readonly number: number;
	readonly first_passage: number;
	readonly text: string;
	readonly document_id: string;
	readonly knowledge_base_id: string;
	readonly knowledge_base: string;
	readonly title: string;
	readonly source: string | null;
	readonly metadata: JsonColumn<JsonObject>;
}

const SELECT_PASSAGE =
	"SELECT passages.number, first_passage, page, heading, start_offset, end_offset, file_place, text, documents.id AS document_id," +
	" knowledge_bases.id AS knowledge_base_id, knowledge_bases.slug AS knowledge_base, title, source, metadata FROM passages" +
	" JOIN documents ON documents.number = passages.document" +
	" JOIN knowledge_bases ON knowledge_bases.number = documents.knowledge_base" +
	" WHERE passages.number = ? AND passages.number - first_passage BETWEEN 0 AND documents.passage_count - 1";

/** Reads a passage that was found; `undefined` where no document shows it, any more or yet. */
export function readPassage(file: JobFile, hit: Hit): FoundPassage | undefined {
	const row = file.prepare<PassageRow>(SELECT_PASSAGE).get(hit.number);
	if (row === undefined) return undefined;
	return toFoundPassage(row, parseColumn(row.metadata), hit.score);
}

function toUrlField(source: string | null): { readonly url?: string } {
	const url = toCitableUrl(source);
	return url === "" ? {} : { url };
}

export const toFoundPassage = (row: PassageRow, metadata: JsonObject, score: number): FoundPassage => ({
	passage_id: toPassageId(row.document_id, row.number - row.first_passage),
	document_id: row.document_id,
	knowledge_base_id: row.knowledge_base_id,
	knowledge_base: row.knowledge_base,
	title: row.title,
	source: row.source,
	...toUrlField(row.source),
	place: parsePlace(row),
	text: row.text,
	score,
	metadata,
});
