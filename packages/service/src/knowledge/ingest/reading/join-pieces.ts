import { DocumentError, MAX_UNREAD_PAGES, parseCrashedError } from "@stemma/documents";
import type { ReadAttachment } from "../../repositories/passage-repository";
import { isPlausible } from "../encoded-passages";
import type { ReadContent } from "../group-writes";
import type { DocumentPiece } from "./document-process";
import type { DocumentProcessResult } from "./reading-processes";

/** Joins what a process has sent. @throws DocumentError when the document cannot be read. */
export function joinPieces({ pieces, output }: DocumentProcessResult): ReadContent {
	if ("error" in output) throw new DocumentError(output.error);
	const passages = pieces.flatMap((piece) => ("passages" in piece ? [piece.passages] : []));
	if (!passages.every(isPlausible) || !arePageNumbers(output.unreadPages)) throw parseCrashedError();
	const chunks = pieces.flatMap((piece) => ("chunk" in piece ? piece.chunk : []));
	const text = output.text && { ...output.text, chunks };
	const { title, unreadPages } = output;
	return { title, passages, text, attachments: joinAttachments(pieces), unreadPages };
}

/** Checks what a process says that a document may have taken over. */
const arePageNumbers = (pages: readonly number[]): boolean =>
	Array.isArray(pages) && pages.length <= MAX_UNREAD_PAGES && pages.every(Number.isSafeInteger);

function joinAttachments(pieces: readonly DocumentPiece[]): ReadAttachment[] {
	const attachments: ReadAttachment[] = [];
	let filled = 0;
	for (const piece of pieces) {
		if ("attachment" in piece) {
			const { size, ...attachment } = piece.attachment;
			attachments.push({ ...attachment, bytes: new Uint8Array(size) });
			filled = 0;
		} else if ("attachmentBytes" in piece) {
			attachments.at(-1)?.bytes.set(piece.attachmentBytes, filled);
			filled += piece.attachmentBytes.byteLength;
		}
	}
	return attachments;
}
