import type { Transaction } from "kysely";
import type { WorkspaceTables } from "../../../workspace-tables";
import type { WorkspaceTransaction } from "../../workspace-transaction";

/** Tables of words and vectors that Postgres alone has. */
export type IndexTables = {
	word_indexes: WordIndexTable;
	passage_vocabulary: PassageVocabularyTable;
	passage_words: PassageWordTable;
	passage_vectors: PassageVectorTable;
	passage_vectors_2: PassageVectorTable;
};

/** Totals of the word index of a knowledge base: of all passages in it, shown or not. */
export interface WordIndexTable {
	/** A number, not an id. */
	knowledge_base: number;
	passage_count: number;
	token_count: number;
}

/** Token that passages of a knowledge base have. */
export interface PassageVocabularyTable {
	/** A number, not an id. */
	knowledge_base: number;
	word: string;
	/** Number of passages with it. */
	passage_count: number;
}

export interface PassageWordTable {
	number: number;
	/** A number, not an id. */
	knowledge_base: number;
	/** Number of tokens of the title, which come first. */
	title_tokens: number;
	token_count: number;
	/** Text of a `tsvector`. */
	words: string;
}

export interface PassageVectorTable {
	/** A number, not an id. */
	knowledge_base: number;
	number: number;
	/** Text of a `vector`, of length 1. */
	vector: string;
}

export type IndexTransaction = Transaction<WorkspaceTables & IndexTables>;

/** Opens the tables of words and vectors. */
export const withIndexTables = (transaction: WorkspaceTransaction): IndexTransaction =>
	transaction.withTables<IndexTables>();
