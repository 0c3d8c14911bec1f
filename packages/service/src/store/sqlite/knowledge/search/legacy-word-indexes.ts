import { toIndexText } from "@stemma/documents";
import type { JobFile } from "../../../job-file";
import { openWordIndex } from "./word-index";

/** Number of word indexes that the knowledge bases of a workspace shared in earlier versions of its file. */
export const LEGACY_INDEX_COUNT = 32;
/** Passages that one transaction moves, so that other work need not wait long. */
const PASSAGES_PER_MOVE = 300;

/** The table that earlier versions kept the words of a knowledge base in. */
export const toLegacyIndex = (knowledgeBase: number): string =>
	`passage_words_${knowledgeBase % LEGACY_INDEX_COUNT}`;

/** The word that stood for a knowledge base in a shared index. */
export const toKnowledgeBaseTerm = (knowledgeBase: number): string => `kb${knowledgeBase}`;

/**
 * The move of words from shared indexes into those of the knowledge bases, which goes on in the background. Passages from
 * `next` to `last` are still in the shared ones, and are found there.
 */
export const wordIndexMovesSql = `
CREATE TABLE word_index_moves (
	next INTEGER NOT NULL,
	last INTEGER NOT NULL
) STRICT;
INSERT INTO word_index_moves (next, last)
	SELECT 1, (SELECT coalesce(max(number), 0) FROM passages) FROM sqlite_schema
	WHERE type = 'table' AND name = '${toLegacyIndex(0)}';
`;

interface PassageRow {
	readonly number: number;
	readonly knowledge_base: number;
	readonly title: string;
	readonly heading: string | null;
	readonly text: string;
}

const SELECT_NEXT = `SELECT passages.number, knowledge_base, title, heading, text FROM word_index_moves
	JOIN passages ON passages.number BETWEEN next AND last JOIN documents ON documents.number = passages.document
	ORDER BY passages.number LIMIT ?`;

/** Checks whether passages are still in the shared indexes. */
export const hasLegacyWords = (file: JobFile): boolean =>
	file.prepare("SELECT 1 AS found FROM word_index_moves WHERE next <= last").get() !== undefined;

/**
 * Moves the words of some passages, in a transaction: an interrupted move continues where it stopped. At its end, the
 * shared indexes are removed.
 *
 * @returns whether there is more to do.
 */
export function moveLegacyWords(file: JobFile): boolean {
	if (file.prepare("SELECT 1 AS found FROM word_index_moves").get() === undefined) return false;
	const rows = file.prepare<PassageRow>(SELECT_NEXT).all(PASSAGES_PER_MOVE);
	for (const { number, knowledge_base: knowledgeBase, title, heading, text } of rows) {
		openWordIndex(file, knowledgeBase)(number, {
			title: toIndexText(title),
			heading: toIndexText(heading ?? ""),
			text: toIndexText(text),
		});
		file.prepare(`DELETE FROM ${toLegacyIndex(knowledgeBase)} WHERE rowid = CAST(? AS INTEGER)`).run(number);
	}
	const last = rows.at(-1)?.number;
	if (last !== undefined) file.prepare("UPDATE word_index_moves SET next = ?").run(last + 1);
	else dropNextLegacyIndex(file);
	return true;
}

/** One at a time: a large one takes a moment. */
function dropNextLegacyIndex(file: JobFile): void {
	file.prepare("UPDATE word_index_moves SET next = last + 1").run();
	const table = Array.from({ length: LEGACY_INDEX_COUNT }, (_, index) => toLegacyIndex(index)).find(
		(name) => file.prepare("SELECT 1 AS found FROM sqlite_schema WHERE name = ?").get(name) !== undefined,
	);
	if (table === undefined) file.prepare("DELETE FROM word_index_moves").run();
	else file.database.exec(`DROP TABLE ${table}`);
}
