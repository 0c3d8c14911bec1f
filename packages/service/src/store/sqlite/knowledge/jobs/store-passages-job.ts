import type { RunError } from "@stemma/core";
import { type PassageContent, parseCrashedError, toIndexText } from "@stemma/documents";
import { checkPin, type PinMatch } from "../../../../knowledge/embeddings/check-pin";
import { decodePassages } from "../../../../knowledge/ingest/encoded-passages";
import type { PassagesPart, StorePassagesInput } from "../../../../knowledge/repositories/passage-repository";
import { inUnsyncedTransaction } from "../../../in-transaction";
import type { JobFile } from "../../../job-file";
import { toPlaceColumns } from "../../../repositories/knowledge/passage-place";
import { insertText } from "../content-chunks";
import { isMoving } from "../reindex/reindex-rows";
import { insertVectors } from "../search/passage-vectors";
import { openWordIndex } from "../search/word-index";
import { readPin, unpinIfEmpty, writePin } from "./embedding-pins";
import { insertSweep } from "./insert-sweep";
import { replaceContents } from "./replace-contents";
import { hasRoomForAttachments, storeAttachments } from "./store-attachments";
import { failUpload, setReaderVersion } from "./uploads/fail-upload";
import { requeueInTransaction, requeueWithAttachments } from "./uploads/requeue-upload-job";

/** Document of an upload. */
export interface UploadedDocument {
	readonly number: number;
	readonly knowledge_base: number;
	readonly title: string;
	readonly first_passage: number;
	readonly passage_count: number;
	readonly original_content: number;
}

/** A part with its passages, or why they are not stored. */
export type PartMatch =
	| Exclude<PinMatch, { kind: "store" }>
	| (Extract<PinMatch, { kind: "store" }> & { readonly passages: readonly PassageContent[] });

/**
 * Writes what was read; returns whether something was put into the queue again. The file of a document stays on the disk
 * until its passages are there: if a power failure undoes a part, it is read again.
 */
export function storePassages(file: JobFile, { parts, maxDocuments, now }: StorePassagesInput): boolean {
	return inUnsyncedTransaction(file, () => {
		let isRequeued = false;
		for (const part of parts) {
			const document = findDocument(file, part.upload);
			if (document === undefined) continue;
			const match = part.kind === "failed" ? part : matchPart(file, document, part);
			if (match.kind === "failed") failDocument(file, document, part.upload, match.error, now);
			else if (match.kind === "requeue")
				isRequeued = requeueInTransaction(file, part.upload) !== null || isRequeued;
			else if (part.kind === "passages") {
				if (hasRoomForAttachments(file, document.number, part.attachments, maxDocuments))
					storePart(file, document, part, match, now);
				else {
					requeueWithAttachments(file, part.upload);
					isRequeued = true;
				}
			}
		}
		return isRequeued;
	});
}

function findDocument(file: JobFile, upload: number): UploadedDocument | undefined {
	return file
		.prepare<UploadedDocument>(
			"SELECT documents.number, knowledge_base, coalesce(given_title, '') AS title, first_passage, passage_count, original_content" +
				" FROM uploads JOIN documents ON documents.number = uploads.document WHERE uploads.number = ?",
		)
		.get(upload);
}

/** Finds out how a part is stored. It fails where it holds no passages, as only a process that a document has taken over sends. */
function matchPart(file: JobFile, { knowledge_base }: UploadedDocument, part: PassagesPart): PartMatch {
	return toPartMatch(
		checkPin(readPin(file, knowledge_base), part.vectors, isMoving(file, knowledge_base)),
		part,
	);
}

/** Decodes the passages of a part that is stored. */
export function toPartMatch(match: PinMatch, part: PassagesPart): PartMatch {
	if (match.kind !== "store") return match;
	try {
		return { ...match, passages: decodePassages(part.passages) };
	} catch (error) {
		return { kind: "failed", error: parseCrashedError(error).error };
	}
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
	{ vectors, newPin, passages }: Extract<PartMatch, { kind: "store" }>,
	now: number,
): void {
	if (newPin !== undefined) writePin(file, document.knowledge_base, newPin);
	const title = document.title || part.title;
	insertPassages(file, document, { first: part.first, title, passages });
	if (vectors !== undefined) insertVectors(file, document.knowledge_base, part.first, vectors.values);
	const { range } = part;
	const isLast = part.first + passages.length === range.first + range.count;
	if (isLast) publishPassages(file, document, part, title, now);
	// No document shows them yet: after a crash they are swept away.
	else if (part.first === range.first) insertSweep(file, document.knowledge_base, range, part.upload);
}

/** Passages that follow one another, with the title of their document. */
export interface NewPassages {
	/** Number of the first. */
	readonly first: number;
	readonly title: string;
	readonly passages: readonly PassageContent[];
}

function insertPassages(
	file: JobFile,
	document: UploadedDocument,
	{ first, title, passages }: NewPassages,
): void {
	const insertPassage = file.prepare(
		"INSERT INTO passages (number, document, page, heading, start_offset, end_offset, file_place, text)" +
			" VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
	);
	const insertWords = openWordIndex(file, document.knowledge_base);
	const titleWords = toIndexText(title);
	passages.forEach(({ place, text, indexText = text }, index) => {
		const number = first + index;
		const { page, heading, start_offset, end_offset, file_place } = toPlaceColumns(place);
		insertPassage.run(number, document.number, page, heading, start_offset, end_offset, file_place, text);
		insertWords(number, { title: titleWords, heading: toIndexText(heading ?? ""), text: indexText });
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
	const { range, upload, unreadPages = null } = part;
	file
		.prepare(
			"UPDATE documents SET title = ?, status = 'ready', error = NULL, first_passage = ?, passage_count = ?, unread_pages = ?, updated_at = ?" +
				" WHERE number = ?",
		)
		.run(title, range.first, range.count, unreadPages && JSON.stringify(unreadPages), now, document.number);
	const text = part.text === undefined ? document.original_content : insertText(file, part.text);
	replaceContents(file, document.number, { text_content: text });
	setReaderVersion(file, upload);
	file.prepare("DELETE FROM uploads WHERE number = ?").run(upload);
	file.prepare("DELETE FROM passage_sweeps WHERE first = ?").run(range.first);
	const { number, knowledge_base: knowledgeBase } = document;
	storeAttachments(
		file,
		{ number, title, attachments: part.attachments ?? [] },
		{
			...{ knowledgeBase, hasVectors: part.vectors !== undefined, now },
		},
	);
	insertSweep(file, document.knowledge_base, {
		first: document.first_passage,
		count: document.passage_count,
	});
	file
		.prepare("UPDATE knowledge_bases SET passage_count = passage_count + ? WHERE number = ?")
		.run(range.count - document.passage_count, document.knowledge_base);
}
