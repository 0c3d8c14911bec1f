import type { JobFile } from "../../../job-file";
import { noteWordMerge } from "./word-merges";

/** Number of segments of an index that are merged at once; with FTS5's default of 4, ingestion is a third slower. */
const MERGED_SEGMENTS = 8;

/** The table with the words of a knowledge base's passages. */
export const toWordIndex = (knowledgeBase: number): string => `words_of_${knowledgeBase}`;

/** FTS5 tokenizer of texts and queries. Marks are parts of words, such as the vowels of Hindi and Thai. */
export const TOKENIZER = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'";

/**
 * The word index of a knowledge base. Each has its own, because ranking counts how often a word is found in the whole of an
 * index: the documents of one knowledge base change nothing in another. It holds no text (`content=''`): that stands in
 * `passages`.
 */
const toWordIndexSql = (table: string): string => `
CREATE VIRTUAL TABLE ${table} USING fts5 (
	title, heading, text,
	content = '', contentless_delete = 1,
	tokenize = '${TOKENIZER.replaceAll("'", "''")}'
);
INSERT INTO ${table} (${table}, rank) VALUES ('automerge', ${MERGED_SEGMENTS});`;

/** Column of knowledge bases that says whether a word index was created, which is when the first passage is stored. */
export const wordIndexColumnSql =
	"ALTER TABLE knowledge_bases ADD COLUMN has_word_index INTEGER NOT NULL DEFAULT 0;";

/** Inserts the words of passages into the index of their knowledge base, which is created where there is none yet. */
export function openWordIndex(
	file: JobFile,
	knowledgeBase: number,
): (passage: number, words: PassageWords) => void {
	const table = toWordIndex(knowledgeBase);
	const { changes } = file
		.prepare("UPDATE knowledge_bases SET has_word_index = 1 WHERE number = ? AND has_word_index = 0")
		.run(knowledgeBase);
	if (changes > 0) file.database.exec(toWordIndexSql(table));
	noteWordMerge(file, knowledgeBase);
	const insert = file.prepare(`INSERT INTO ${table} (rowid, title, heading, text) VALUES (?, ?, ?, ?)`);
	return (passage, { title, heading, text }) => {
		insert.run(passage, title, heading, text);
	};
}

/** Texts of a passage as the word index is given them: see `toIndexText`. */
export interface PassageWords {
	readonly title: string;
	readonly heading: string;
	readonly text: string;
}

/** Removes the word index of a knowledge base that is deleted. */
export const dropWordIndex = (file: JobFile, knowledgeBase: number): void =>
	file.database.exec(`DROP TABLE IF EXISTS ${toWordIndex(knowledgeBase)}`);

/** Finds those of these knowledge bases that have a word index. */
export function filterWithWordIndex(file: JobFile, knowledgeBases: readonly number[]): number[] {
	return file
		.prepare<{ readonly number: number }>(
			"SELECT number FROM knowledge_bases WHERE has_word_index = 1 AND number IN (SELECT value FROM json_each(?))",
		)
		.all(JSON.stringify(knowledgeBases))
		.map(({ number }) => number);
}
