import { createHash } from "node:crypto";
import { readFileBytes, throwUnreadable } from "@stemma/documents/folder";
import type { FoundDocument } from "./find-documents";

/** A file and the fingerprint of its content. */
export interface LocalDocument extends FoundDocument {
	/** SHA-256, hexadecimal. */
	readonly sha256: string;
	/** Size in bytes. */
	readonly size: number;
	/** True where the document contains only blanks, so that there is nothing to find in it. */
	readonly isEmpty: boolean;
}

/** @throws UnreadableError with the reason. */
export async function fingerprint(document: FoundDocument): Promise<LocalDocument> {
	const bytes = await readDocument(document);
	const sha256 = createHash("sha256").update(bytes).digest("hex");
	return { ...document, sha256, size: bytes.length, isEmpty: isBlank(bytes) };
}

/** Blanks, line breaks and the byte order mark of UTF-8. */
const BLANKS = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0xef, 0xbb, 0xbf]);

const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => BLANKS.has(byte));

/** @throws UnreadableError with the reason. */
export const readDocument = ({ file, within }: FoundDocument): Promise<Uint8Array> =>
	readFileBytes(file, { root: within }).catch(throwUnreadable);
