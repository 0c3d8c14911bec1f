/**
 * Number of word indexes of a workspace. Ranking counts how often a word of the query is found in the whole of an
 * index, so knowledge bases that share no index do not slow one another down, nor change one another's ranking.
 */
export const WORD_INDEX_COUNT = 32;

/** Number of segments of an index that are merged at once; with FTS5's default of 4, ingestion is a third slower. */
const MERGED_SEGMENTS = 8;

/** The table with the words of a knowledge base's passages. */
export const toWordIndex = (knowledgeBase: number): string =>
	`passage_words_${knowledgeBase % WORD_INDEX_COUNT}`;

/** The word that stands for a knowledge base in its word index. */
export const toKnowledgeBaseTerm = (knowledgeBase: number): string => `kb${knowledgeBase}`;

/**
 * All word indexes. The knowledge base of a passage is a word of its own, so that searching one of them looks at no
 * passage of the others. An index holds no text (`content=''`): that stands in `passages`.
 */
export const wordIndexesSql: string = Array.from(
	{ length: WORD_INDEX_COUNT },
	(_, index) => `
CREATE VIRTUAL TABLE ${toWordIndex(index)} USING fts5 (
	knowledge_base, title, heading, text,
	content = '', contentless_delete = 1,
	tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO ${toWordIndex(index)} (${toWordIndex(index)}, rank) VALUES ('automerge', ${MERGED_SEGMENTS});`,
).join("");
