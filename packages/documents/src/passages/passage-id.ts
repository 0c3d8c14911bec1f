import { createHash } from "node:crypto";

const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** The id of the document at a path within a folder; the same path in another folder is another document. */
export const toDocumentId = (folder: string, path: string): string => `doc_${hash(`${folder}\n${path}`)}`;

/** The id of the passage of a document that begins at an offset. */
export const toPassageId = (documentId: string, start: number): string =>
	`psg_${hash(`${documentId}:${start}`)}`;
