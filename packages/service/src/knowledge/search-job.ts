import { isDeepStrictEqual } from "node:util";
import type { FoundPassage } from "@stemma/client";
import type { JsonObject } from "@stemma/core";
import type { JobFile } from "../store/jobs";
import { findHighestScore } from "./compare-indexes";
import { findKnowledgeBases } from "./find-knowledge-bases";
import { inSnapshot } from "./in-transaction";
import { toPassageId } from "./passage-id";
import { type QueryWord, toQueryWords } from "./query-words";
import { type IndexQuery, toIndexQueries } from "./word-lookups";

export const SEARCH = "knowledge.search";

export interface SearchInput {
	readonly query: string;
	/** Ids. */
	readonly knowledgeBases: readonly string[];
	readonly topK: number;
	/** Metadata that the documents must have. */
	readonly filter?: JsonObject | undefined;
}

export type SearchOutput =
	| { readonly passages: readonly FoundPassage[] }
	/** This knowledge base does not exist. */
	| { readonly missing: string };

interface Hit {
	readonly number: number;
	readonly score: number;
}

interface HitRow {
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
	readonly metadata: string;
}

/** Hits beyond those asked for: some belong to documents that were replaced or deleted just now. */
const SPARE_HITS = 16;

/** Finds passages by their words, best first. */
export function search(file: JobFile, input: SearchInput): SearchOutput {
	const numbers = findKnowledgeBases(file, input.knowledgeBases);
	const missing = input.knowledgeBases.find((_, index) => numbers[index] === undefined);
	if (missing !== undefined) return { missing };
	const words = toQueryWords(input.query);
	if (words.length === 0) return { passages: [] };
	const found = numbers.filter((number) => number !== undefined);
	return { passages: inSnapshot(file, () => findVisible(file, found, words, input)) };
}

function findVisible(
	file: JobFile,
	knowledgeBases: readonly number[],
	words: readonly QueryWord[],
	{ topK, filter }: SearchInput,
): FoundPassage[] {
	const documents = filter === undefined ? undefined : findDocuments(file, knowledgeBases, filter);
	if (documents?.length === 0) return [];
	const queries = toIndexQueries(knowledgeBases, words);
	for (let limit = topK + SPARE_HITS; ; limit *= 8) {
		const hits = findHits(file, queries, { words, limit, documents });
		const passages: FoundPassage[] = [];
		for (const hit of hits) {
			const passage = readPassage(file, hit);
			if (passage !== undefined) passages.push(passage);
			if (passages.length === topK) return passages;
		}
		if (hits.length < limit) return passages;
	}
}

/** The numbers of the documents with this metadata. */
function findDocuments(file: JobFile, knowledgeBases: readonly number[], filter: JsonObject): number[] {
	const select = file.prepare("SELECT number, metadata FROM documents WHERE knowledge_base = ?");
	const documents = knowledgeBases.flatMap(
		(number) => select.all(number) as unknown as Pick<HitRow, "number" | "metadata">[],
	);
	return documents
		.filter(({ metadata }) => matches(JSON.parse(metadata) as JsonObject, filter))
		.map(({ number }) => number);
}

interface HitOptions {
	readonly words: readonly QueryWord[];
	readonly limit: number;
	/** Only passages of these. */
	readonly documents: readonly number[] | undefined;
}

function findHits(
	file: JobFile,
	queries: readonly IndexQuery[],
	{ words, limit, documents }: HitOptions,
): readonly Hit[] {
	const within = documents === undefined ? [] : [JSON.stringify(documents)];
	const perIndex = queries.map((query) => {
		const sql = toHitsSql(query.table, documents !== undefined);
		const hits = file.prepare(sql).all(query.expression, ...within, limit) as unknown as Hit[];
		if (queries.length === 1 || hits.length === 0) return hits;
		const highest = findHighestScore(file, query, words);
		return hits.map(({ number, score }) => ({ number, score: score / highest }));
	});
	return perIndex
		.flat()
		.sort((a, b) => b.score - a.score)
		.slice(0, limit);
}

/**
 * A word of the title counts twice: measured on five collections of questions. Not `ORDER BY rank`, which keeps the places
 * of all words in all hits.
 */
const toHitsSql = (table: string, isFiltered: boolean): string =>
	`SELECT rowid AS number, -bm25(${table}, 0, 2, 1, 1) AS score FROM ${table} WHERE ${table} MATCH ?${
		isFiltered
			? ` AND (SELECT document FROM passages WHERE passages.number = ${table}.rowid) IN (SELECT value FROM json_each(?))`
			: ""
	} ORDER BY score DESC LIMIT ?`;

const PASSAGE =
	"SELECT passages.number, first_passage, page, heading, start_offset, end_offset, text, documents.id AS document_id," +
	" knowledge_bases.id AS knowledge_base_id, title, source, metadata FROM passages" +
	" JOIN documents ON documents.number = passages.document" +
	" JOIN knowledge_bases ON knowledge_bases.number = documents.knowledge_base" +
	" WHERE passages.number = ? AND passages.number - first_passage BETWEEN 0 AND documents.passage_count - 1";

function readPassage(file: JobFile, hit: Hit): FoundPassage | undefined {
	const row = file.prepare(PASSAGE).get(hit.number) as HitRow | undefined;
	if (row === undefined) return undefined;
	return toFoundPassage(row, JSON.parse(row.metadata) as JsonObject, hit.score);
}

const matches = (metadata: JsonObject, filter: JsonObject): boolean =>
	Object.entries(filter).every(
		([key, value]) => Object.hasOwn(metadata, key) && isDeepStrictEqual(metadata[key], value),
	);

const toFoundPassage = (row: HitRow, metadata: JsonObject, score: number): FoundPassage => ({
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
