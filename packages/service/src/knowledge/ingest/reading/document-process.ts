import { createHash } from "node:crypto";
import type { RunError } from "@stemma/core";
import {
	type DocumentAttachment,
	DocumentError,
	type UploadContent,
	unreadableError,
} from "@stemma/documents";
import { readDocument } from "@stemma/documents/read-document";
import type { ProcessInput } from "../../../processes/process-message";
import { serveProcess } from "../../../processes/serve-process";
import type { EncodedChunk } from "../encode-text";
import { encodeText } from "../encode-text";
import { type EncodedPassages, encodePassages } from "../encoded-passages";

/** Description of an upload, without its bytes. */
export type UploadHead = Omit<UploadContent, "bytes">;

/** Piece of a document that was read: some of its passages, of its text, or of an attachment. */
export type DocumentPiece =
	| { readonly passages: EncodedPassages }
	| { readonly chunk: EncodedChunk }
	/** Begins an attachment; its bytes follow. */
	| { readonly attachment: AttachmentHead }
	| { readonly attachmentBytes: Uint8Array };

/** Description of an attachment that becomes a document of its own, without its bytes. */
export interface AttachmentHead extends Omit<DocumentAttachment, "bytes"> {
	readonly size: number;
	/** SHA-256 of the bytes, hexadecimal. */
	readonly sha256: string;
}

/** Result of the process for each upload, besides its pieces. */
export type DocumentOutcome =
	| {
			readonly title: string;
			readonly text: { readonly size: number; readonly sha256: string } | null;
			readonly unreadPages: readonly number[];
	  }
	| { readonly error: RunError };

const CHUNK_BYTES = 256 * 1024;

/** Process that reads documents. */
serveProcess<UploadHead, DocumentPiece, DocumentOutcome>(readUpload);

async function readUpload(
	{ head, bytes }: ProcessInput<UploadHead>,
	emit: (piece: DocumentPiece) => void,
): Promise<DocumentOutcome> {
	try {
		const { title, text, passages, attachments, unreadPages } = await readDocument({ ...head, bytes });
		for (const encoded of encodePassages(passages)) emit({ passages: encoded });
		for (const attachment of attachments) emitAttachment(attachment, emit);
		if (text === null) return { title, text, unreadPages };
		const { chunks, ...encoded } = await encodeText(text);
		for (const chunk of chunks) emit({ chunk });
		return { title, text: encoded, unreadPages };
	} catch (error) {
		const known = error instanceof DocumentError ? error : unreadableError(error);
		return { error: known.error };
	}
}

function emitAttachment(
	{ bytes, ...attachment }: DocumentAttachment,
	emit: (piece: DocumentPiece) => void,
): void {
	const sha256 = createHash("sha256").update(bytes).digest("hex");
	emit({ attachment: { ...attachment, size: bytes.byteLength, sha256 } });
	for (let start = 0; start < bytes.byteLength; start += CHUNK_BYTES)
		emit({ attachmentBytes: bytes.subarray(start, start + CHUNK_BYTES) });
}
