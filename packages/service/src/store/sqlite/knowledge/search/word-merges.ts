import type { JobFile } from "../../../job-file";

/**
 * Word indexes that were written to since their segments were merged. FTS5 writes a segment for each transaction and merges
 * eight of a size as it goes; a search looks each word up in all of them. Once they are merged, that takes a sixth to a tenth
 * of the time.
 */
export const wordMergesSql = `
CREATE TABLE word_merges (
	knowledge_base INTEGER PRIMARY KEY
) STRICT;
INSERT INTO word_merges (knowledge_base) SELECT number FROM knowledge_bases WHERE has_word_index = 1;
`;

/** Table of the word indexes whose segments are still to be merged. */
export interface WordMergeTable {
	/** A number, not an id. */
	knowledge_base: number;
}

/** Notes that an index has segments to merge. */
export const noteWordMerge = (file: JobFile, knowledgeBase: number): void => {
	file.prepare("INSERT OR IGNORE INTO word_merges (knowledge_base) VALUES (?)").run(knowledgeBase);
};

/** Forgets the merge of an index that is gone. */
export const forgetWordMerge = (file: JobFile, knowledgeBase: number): void => {
	file.prepare("DELETE FROM word_merges WHERE knowledge_base = ?").run(knowledgeBase);
};

/** Finds an index with segments to merge, as the number of its knowledge base. */
export const findWordMerge = (file: JobFile): number | undefined =>
	file.prepare<WordMergeTable>("SELECT knowledge_base FROM word_merges LIMIT 1").get()?.knowledge_base;
