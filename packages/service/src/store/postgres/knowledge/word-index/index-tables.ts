import type { Generated, Transaction } from "kysely";
import type { WorkspaceTables } from "../../../workspace-tables";
import type { WorkspaceTransaction } from "../../workspace-transaction";

/** Tables of words and vectors that Postgres alone has. */
export type IndexTables = {
	word_indexes: WordIndexTable;
	word_segments: WordSegmentTable;
	word_blocks: WordBlockTable;
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

/** Part of the word index of a knowledge base: the words of some of its passages. */
export interface WordSegmentTable {
	/** A number, not an id. */
	knowledge_base: number;
	segment: Generated<number>;
	/** Numbers of its passages lie between these two. */
	first_passage: number;
	last_passage: number;
	/** Approximate number: passages that are deleted count until their records are. */
	passage_count: number;
	/** Numbers of passages that are gone, of which it may have records. */
	deleted: Generated<number[]>;
}

/** Some words of a segment, in order, with the passages that have them; see `WordBlock`. */
export interface WordBlockTable {
	/** A number, not an id. */
	knowledge_base: number;
	segment: number;
	first_word: string;
	words: string[];
	ends: number[];
	records: Uint8Array;
}

/** Tokens of a passage with their positions, by which phrases are found. */
export interface PassageWordTable {
	number: number;
	/** A number, not an id. */
	knowledge_base: number;
	/** Number of tokens of the title, which come first. */
	title_tokens: number;
	token_count: number;
	/** Positions of each token, as in `'car':1,5 'wheel':2`. */
	positions: string;
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
