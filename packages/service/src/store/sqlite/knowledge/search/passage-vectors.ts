import type { PassageRange } from "../../../../knowledge/repositories/passage-repository";
import type { JobFile } from "../../../job-file";
import { normalize, toVectorBytes, toVectorCode } from "./vector-code";
import { readVectorSlot, toVectorTables, VECTOR_SLOTS, type VectorTables } from "./vector-slots";

/**
 * The vectors of passages, and their codes of a bit for each number. Plain tables: searching codes in the order of
 * their knowledge bases, then comparing the best of them exactly, was measured to be faster than virtual tables of
 * sqlite-vec, and any SQLite can write and sweep them.
 */
export const passageVectorsSql = `
CREATE TABLE passage_vectors (
	number INTEGER PRIMARY KEY,
	vector BLOB NOT NULL
) STRICT;

CREATE TABLE passage_codes (
	knowledge_base INTEGER NOT NULL,
	number INTEGER NOT NULL,
	code BLOB NOT NULL,
	PRIMARY KEY (knowledge_base, number)
) STRICT, WITHOUT ROWID;
`;

/** @param first - the number of the first passage; the others follow. */
export function insertVectors(
	file: JobFile,
	knowledgeBase: number,
	first: number,
	vectors: readonly Float32Array[],
): void {
	const insert = openVectorTables(file, knowledgeBase, toVectorTables(readVectorSlot(file, knowledgeBase)));
	vectors.forEach((vector, index) => {
		insert(first + index, vector);
	});
}

/** Opens a pair of tables for the vectors of passages of one knowledge base. */
export function openVectorTables(
	file: JobFile,
	knowledgeBase: number,
	{ vectors, codes }: VectorTables,
): (passage: number, vector: Float32Array) => void {
	const insertVector = file.prepare(`INSERT OR REPLACE INTO ${vectors} (number, vector) VALUES (?, ?)`);
	const insertCode = file.prepare(
		`INSERT OR REPLACE INTO ${codes} (knowledge_base, number, code) VALUES (?, ?, ?)`,
	);
	return (passage, vector) => {
		insertVector.run(passage, toVectorBytes(normalize(vector)));
		insertCode.run(knowledgeBase, passage, toVectorCode(vector));
	};
}

/** Deletes the vectors of passages, of each space that they have some of. */
export function deleteVectors(file: JobFile, knowledgeBase: number, { first, count }: PassageRange): void {
	const last = first + count - 1;
	for (const { vectors, codes } of VECTOR_SLOTS.map(toVectorTables)) {
		file.prepare(`DELETE FROM ${vectors} WHERE number BETWEEN ? AND ?`).run(first, last);
		file
			.prepare(`DELETE FROM ${codes} WHERE knowledge_base = ? AND number BETWEEN ? AND ?`)
			.run(knowledgeBase, first, last);
	}
}
