import { createHash } from "node:crypto";

const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** The id of the document at a path. */
export const toDocumentId = (path: string): string => `doc_${hash(path)}`;

/** The id of the passage of a document that begins at an offset. */
export const toPassageId = (documentId: string, start: number): string =>
	`psg_${hash(`${documentId}:${start}`)}`;
