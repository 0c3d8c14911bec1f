import type { RunError } from "@stemma/core";
import { toIndexText } from "@stemma/documents";
import { checkPin, type PinMatch } from "../../../../knowledge/embeddings/check-pin";
import type {
	PassageRange,
	PassagesPart,
	StorePassagesInput,
} from "../../../../knowledge/repositories/passage-repository";
import { inTransaction } from "../../../in-transaction";
import type { JobFile } from "../../../job-file";
import { insertVectors } from "../search/passage-vectors";
import { toKnowledgeBaseTerm, toWordIndex } from "../search/word-index";
import { readPin, unpinIfEmpty, writePin } from "./embedding-pins";
import { failUpload } from "./fail-upload";
import { requeueInTransaction } from "./requeue-upload-job";

interface UploadedDocument {
	readonly number: number;
	readonly knowledge_base: number;
	readonly title: string;
	readonly first_passage: number;
	readonly passage_count: number;
}

/** Writes what was read; returns whether something was put into the queue again. */
export function storePassages(file: JobFile, { parts, now }: StorePassagesInput): boolean {
	return inTransaction(file, () => {
		let isRequeued = false;
		for (const part of parts) {
			const document = findDocument(file, part.upload);
			if (document === undefined) continue;
			const match =
				part.kind === "failed" ? part : checkPin(readPin(file, document.knowledge_base), part.vectors);
			if (match.kind === "failed") failDocument(file, document, part.upload, match.error, now);
			else if (match.kind === "requeue") isRequeued = requeueInTransaction(file, part.upload) !== null;
			else if (part.kind === "passages") storePart(file, document, part, match, now);
		}
		return isRequeued;
	});
}

function findDocument(file: JobFile, upload: number): UploadedDocument | undefined {
	return file
		.prepare<UploadedDocument>(
			"SELECT documents.number, knowledge_base, coalesce(given_title, '') AS title, first_passage, passage_count" +
				" FROM uploads JOIN documents ON documents.number = uploads.document WHERE uploads.number = ?",
		)
		.get(upload);
}

function failDocument(
	file: JobFile,
	{ knowledge_base }: UploadedDocument,
	upload: number,
	error: RunError,
	now: number,
): void {
	failUpload(file, upload, error, now);
	unpinIfEmpty(file, knowledge_base);
}

function storePart(
	file: JobFile,
	document: UploadedDocument,
	part: PassagesPart,
	{ vectors, newPin }: Extract<PinMatch, { kind: "store" }>,
	now: number,
): void {
	if (newPin !== undefined) writePin(file, document.knowledge_base, newPin);
	const title = document.title || part.title;
	insertPassages(file, document, part, title);
	if (vectors !== undefined) insertVectors(file, document.knowledge_base, part.first, vectors.values);
	const { range } = part;
	const isLast = part.first + part.passages.length === range.first + range.count;
	if (isLast) publishPassages(file, document, part, title, now);
	// No document shows them yet: after a crash they are swept away.
	else if (part.first === range.first) insertSweep(file, document.knowledge_base, range, part.upload);
}

function insertPassages(file: JobFile, document: UploadedDocument, part: PassagesPart, title: string): void {
	const insertPassage = file.prepare(
		"INSERT INTO passages (number, document, page, heading, start_offset, end_offset, text) VALUES (?, ?, ?, ?, ?, ?, ?)",
	);
	const insertWords = file.prepare(
		`INSERT INTO ${toWordIndex(document.knowledge_base)} (rowid, knowledge_base, title, heading, text) VALUES (?, ?, ?, ?, ?)`,
	);
	const knowledgeBaseWord = toKnowledgeBaseTerm(document.knowledge_base);
	const titleWords = toIndexText(title);
	part.passages.forEach(({ page, heading, start, end, text, indexText = text }, index) => {
		const number = part.first + index;
		insertPassage.run(number, document.number, page, heading, start, end, text);
		insertWords.run(number, knowledgeBaseWord, titleWords, toIndexText(heading ?? ""), indexText);
	});
}

/** The document shows these passages from now on, and the old ones no more. */
function publishPassages(
	file: JobFile,
	document: UploadedDocument,
	part: PassagesPart,
	title: string,
	now: number,
): void {
	const { range, upload } = part;
	file
		.prepare(
			"UPDATE documents SET title = ?, status = 'ready', first_passage = ?, passage_count = ?, updated_at = ?" +
				" WHERE number = ?",
		)
		.run(title, range.first, range.count, now, document.number);
	file.prepare("DELETE FROM uploads WHERE number = ?").run(upload);
	file.prepare("DELETE FROM passage_sweeps WHERE first = ?").run(range.first);
	insertSweep(file, document.knowledge_base, {
		first: document.first_passage,
		count: document.passage_count,
	});
	file
		.prepare("UPDATE knowledge_bases SET passage_count = passage_count + ? WHERE number = ?")
		.run(range.count - document.passage_count, document.knowledge_base);
}

/** Passages to be swept away, but not as long as this upload is in the queue. */
export function insertSweep(
	file: JobFile,
	knowledgeBase: number,
	{ first, count }: PassageRange,
	upload: number | null = null,
): void {
	if (count === 0) return;
	file
		.prepare("INSERT INTO passage_sweeps (first, last, knowledge_base, upload) VALUES (?, ?, ?, ?)")
		.run(first, first + count - 1, knowledgeBase, upload);
}
