import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { throwUnreadable, UnreadableError } from "@stemma/service/documents";
import type { FoundDocument } from "./find-documents";

/** A file and the fingerprint of its content. */
export interface LocalDocument extends FoundDocument {
	/** SHA-256, hexadecimal. */
	readonly sha256: string;
	/** In bytes. */
	readonly size: number;
}

/** @throws UnreadableError with the reason. */
export async function fingerprint(document: FoundDocument): Promise<LocalDocument> {
	const bytes = await readDocument(document);
	return { ...document, sha256: createHash("sha256").update(bytes).digest("hex"), size: bytes.length };
}

/** @throws UnreadableError with the reason. */
export async function readDocument({ file }: FoundDocument): Promise<Uint8Array> {
	try {
		const status = await stat(file);
		// Asked before it is opened: opening a named pipe would wait for someone to write into it.
		if (!status.isFile()) throw new UnreadableError("it is not a file");
		return await readFile(file);
	} catch (error) {
		return throwUnreadable(error);
	}
}
