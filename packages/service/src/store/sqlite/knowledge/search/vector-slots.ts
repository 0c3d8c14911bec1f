import type { JobFile } from "../../../job-file";

/**
 * Number of a pair of tables for vectors. A knowledge base has the vectors that answer in one pair, and those of the space
 * that it moves to, or came from, in the other.
 */
export type VectorSlot = 0 | 1;

export interface VectorTables {
	readonly vectors: string;
	readonly codes: string;
}

const TABLES: Readonly<Record<VectorSlot, VectorTables>> = {
	0: { vectors: "passage_vectors", codes: "passage_codes" },
	1: { vectors: "passage_vectors_2", codes: "passage_codes_2" },
};

export const VECTOR_SLOTS: readonly VectorSlot[] = [0, 1];

export const toVectorTables = (slot: VectorSlot): VectorTables => TABLES[slot];

export const toOtherSlot = (slot: VectorSlot): VectorSlot => (slot === 0 ? 1 : 0);

/** Reads the slot whose vectors searches in a knowledge base use. */
export const readVectorSlot = (file: JobFile, knowledgeBase: number): VectorSlot =>
	file
		.prepare<{ readonly vector_slot: VectorSlot }>("SELECT vector_slot FROM knowledge_bases WHERE number = ?")
		.get(knowledgeBase)?.vector_slot ?? 0;
