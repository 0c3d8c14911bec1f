import { inTransaction } from "../../../in-transaction";
import type { JobFile } from "../../../job-file";
import { deleteReindexRow } from "../reindex/reindex-rows";
import { hasLegacyWords, moveLegacyWords, toLegacyIndex } from "../search/legacy-word-indexes";
import { mergeWords } from "../search/merge-words";
import { deleteVectors } from "../search/passage-vectors";
import { dropWordIndex, filterWithWordIndex, toWordIndex } from "../search/word-index";
import { forgetWordMerge, noteWordMerge } from "../search/word-merges";
import { unpinIfEmpty } from "./embedding-pins";
import { insertSweep } from "./insert-sweep";
import { replaceContents } from "./replace-contents";

/** Maximum that one transaction sweeps, so that other work need not wait long. */
const PASSAGES_PER_SWEEP = 300;
const DOCUMENTS_PER_SWEEP = 200;
const CHUNKS_PER_SWEEP = 32;
const PAGES_PER_SWEEP = 400;
/** Free pages that are kept, because they are wanted again soon. */
const RESERVED_FREE_PAGES = 256;

/**
 * Sweeps away some of what was deleted: passages first, then files and texts, then documents of deleted knowledge bases,
 * then word indexes of an earlier version of the file, then free space. Word indexes that were written to are merged, too.
 */
export function sweep(file: JobFile): boolean {
	const sweepRows = () =>
		sweepPassages(file) ||
		sweepContents(file) ||
		sweepKnowledgeBase(file) ||
		moveLegacyWords(file) ||
		mergeWords(file);
	return inTransaction(file, sweepRows) || vacuumFreePages(file);
}

const SWEEPABLE =
	"SELECT first, last, knowledge_base FROM passage_sweeps WHERE upload IS NULL OR upload NOT IN (SELECT number FROM uploads) LIMIT 1";

function sweepPassages(file: JobFile): boolean {
	const range = file.prepare(SWEEPABLE).get();
	if (range === undefined) return false;
	const first = Number(range.first);
	const last = Number(range.last);
	const knowledgeBase = Number(range.knowledge_base);
	const until = Math.min(last, first + PASSAGES_PER_SWEEP - 1);
	// Only numbers that were used: a part of the range may never have been written.
	for (const table of findWordTables(file, knowledgeBase))
		file
			.prepare(
				`DELETE FROM ${table} WHERE rowid IN (SELECT number FROM passages WHERE number BETWEEN ? AND ?)`,
			)
			.run(first, until);
	for (const number of filterWithWordIndex(file, [knowledgeBase])) noteWordMerge(file, number);
	deleteVectors(file, knowledgeBase, { first, count: until - first + 1 });
	file.prepare("DELETE FROM passages WHERE number BETWEEN ? AND ?").run(first, until);
	file.prepare("DELETE FROM passage_sweeps WHERE first = ?").run(first);
	if (until < last) insertSweep(file, knowledgeBase, { first: until + 1, count: last - until });
	return true;
}

/** The tables that may have words of a knowledge base; where it is deleted, its own is gone as a whole. */
const findWordTables = (file: JobFile, knowledgeBase: number): readonly string[] => [
	...filterWithWordIndex(file, [knowledgeBase]).map(toWordIndex),
	...(hasLegacyWords(file) ? [toLegacyIndex(knowledgeBase)] : []),
];

function sweepContents(file: JobFile): boolean {
	let left = CHUNKS_PER_SWEEP;
	for (; left > 0; left -= 1) {
		const row = file.prepare("SELECT content FROM content_sweeps LIMIT 1").get();
		if (row === undefined) break;
		const content = Number(row.content);
		const { changes } = file
			.prepare(
				"DELETE FROM content_chunks WHERE rowid IN (SELECT rowid FROM content_chunks WHERE content = ? LIMIT ?)",
			)
			.run(content, left);
		left -= Number(changes);
		if (left <= 0) break;
		file.prepare("DELETE FROM contents WHERE number = ?").run(content);
		file.prepare("DELETE FROM content_sweeps WHERE content = ?").run(content);
	}
	return left < CHUNKS_PER_SWEEP;
}

function sweepKnowledgeBase(file: JobFile): boolean {
	const base = file.prepare("SELECT number FROM knowledge_bases WHERE deleted_at IS NOT NULL LIMIT 1").get();
	if (base === undefined) return false;
	const number = Number(base.number);
	const documents = file
		.prepare("SELECT number FROM documents WHERE knowledge_base = ? LIMIT ?")
		.all(number, DOCUMENTS_PER_SWEEP);
	for (const document of documents) removeDocument(file, Number(document.number));
	if (documents.length < DOCUMENTS_PER_SWEEP) {
		deleteReindexRow(file, number);
		file.prepare("DELETE FROM knowledge_bases WHERE number = ?").run(number);
		dropWordIndex(file, number);
		forgetWordMerge(file, number);
	}
	return true;
}

/** Takes a document with its attachments out of all lists and searches; their passages are swept later. */
export function removeDocument(file: JobFile, number: number): void {
	const row = file
		.prepare("SELECT knowledge_base, first_passage, passage_count FROM documents WHERE number = ?")
		.get(number);
	if (row === undefined) return;
	for (const child of file.prepare("SELECT number FROM documents WHERE parent = ?").all(number))
		removeDocument(file, Number(child.number));
	const count = Number(row.passage_count);
	insertSweep(file, Number(row.knowledge_base), { first: Number(row.first_passage), count });
	file.prepare("DELETE FROM uploads WHERE document = ?").run(number);
	replaceContents(file, number, { original_content: null, text_content: null });
	file.prepare("DELETE FROM documents WHERE number = ?").run(number);
	file
		.prepare("UPDATE knowledge_bases SET passage_count = passage_count - ? WHERE number = ?")
		.run(count, Number(row.knowledge_base));
	unpinIfEmpty(file, Number(row.knowledge_base));
}

function vacuumFreePages(file: JobFile): boolean {
	const free = countFreePages(file);
	if (free <= RESERVED_FREE_PAGES) return false;
	file.database.exec(`PRAGMA incremental_vacuum(${Math.min(PAGES_PER_SWEEP, free - RESERVED_FREE_PAGES)})`);
	const left = countFreePages(file);
	return left < free && left > RESERVED_FREE_PAGES;
}

const countFreePages = ({ database }: JobFile): number =>
	Number(database.prepare("PRAGMA freelist_count").get()?.freelist_count ?? 0);
