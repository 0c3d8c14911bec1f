import type { PassageRange } from "../../../../knowledge/repositories/passage-repository";
import type { JobFile } from "../../../job-file";
import { normalize, toVectorBytes, toVectorCode } from "./vector-code";

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
	const insertVector = file.prepare("INSERT INTO passage_vectors (number, vector) VALUES (?, ?)");
	const insertCode = file.prepare(
		"INSERT INTO passage_codes (knowledge_base, number, code) VALUES (?, ?, ?)",
	);
	vectors.forEach((vector, index) => {
		insertVector.run(first + index, toVectorBytes(normalize(vector)));
		insertCode.run(knowledgeBase, first + index, toVectorCode(vector));
	});
}

export function deleteVectors(file: JobFile, knowledgeBase: number, { first, count }: PassageRange): void {
	const last = first + count - 1;
	file.prepare("DELETE FROM passage_vectors WHERE number BETWEEN ? AND ?").run(first, last);
	file
		.prepare("DELETE FROM passage_codes WHERE knowledge_base = ? AND number BETWEEN ? AND ?")
		.run(knowledgeBase, first, last);
}
