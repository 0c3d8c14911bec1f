import { toIndexText } from "@stemma/documents";
import type { JobFile } from "../../job-file";
import { toVectorCode } from "../knowledge/search/vector-code";
import { toVectorTables, VECTOR_SLOTS } from "../knowledge/search/vector-slots";
import { openWordIndex } from "../knowledge/search/word-index";

interface PassageRow {
	readonly number: number;
	readonly knowledge_base: number;
	readonly title: string;
	readonly heading: string | null;
	readonly text: string;
}

/** Creates the word indexes of all knowledge bases from their passages. Within a transaction. */
export function rebuildWordIndexes(file: JobFile): void {
	const indexed = file
		.prepare<{ readonly number: number }>("SELECT number FROM knowledge_bases WHERE has_word_index = 1")
		.all();
	file.prepare("UPDATE knowledge_bases SET has_word_index = 0").run();
	for (const { number } of indexed) openWordIndex(file, number);
	const passages = file.database.prepare(
		"SELECT passages.number, knowledge_base, title, heading, text FROM passages" +
			" JOIN documents ON documents.number = passages.document ORDER BY passages.number",
	);
	// The statement names the columns.
	for (const row of passages.iterate() as Iterable<unknown> as Iterable<PassageRow>)
		openWordIndex(file, row.knowledge_base)(row.number, {
			title: toIndexText(row.title),
			heading: toIndexText(row.heading ?? ""),
			text: toIndexText(row.text),
		});
}

interface VectorRow {
	readonly number: number;
	readonly knowledge_base: number;
	readonly vector: Uint8Array;
}

/** Computes the codes of all vectors. Within a transaction. */
export function rebuildVectorCodes(file: JobFile): void {
	for (const { vectors, codes } of VECTOR_SLOTS.map(toVectorTables)) {
		const insert = file.prepare(`INSERT INTO ${codes} (knowledge_base, number, code) VALUES (?, ?, ?)`);
		const rows = file.database.prepare(
			`SELECT ${vectors}.number, knowledge_base, vector FROM ${vectors}` +
				` JOIN passages ON passages.number = ${vectors}.number JOIN documents ON documents.number = passages.document`,
		);
		for (const row of rows.iterate() as Iterable<unknown> as Iterable<VectorRow>)
			insert.run(row.knowledge_base, row.number, toVectorCode(toNumbers(row.vector)));
	}
}

/** Copied, as the numbers must begin at a multiple of their size. */
const toNumbers = (bytes: Uint8Array): Float32Array => new Float32Array(Uint8Array.from(bytes).buffer);

/** Forgets all vectors: searches find by words alone, until the knowledge bases are moved to an embedding model. */
export function deleteVectors(file: JobFile): void {
	for (const { vectors, codes } of VECTOR_SLOTS.map(toVectorTables))
		for (const table of [vectors, codes]) file.prepare(`DELETE FROM ${table}`).run();
	file.prepare("DELETE FROM reindexes").run();
	file.prepare("UPDATE knowledge_bases SET embedding = NULL, vector_slot = 0").run();
	file.prepare("UPDATE uploads SET with_vectors = 0").run();
}
