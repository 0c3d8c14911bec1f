import { readSpooled } from "../../../data-folder/read-spooled";
import type { SpooledContent } from "../../../data-folder/spool";
import type { JobFile } from "../../../job-file";

/**
 * Inserts an upload at the end of its queue, in place of an earlier upload for the same document.
 *
 * @returns its number.
 */
export function insertUpload(
	file: JobFile,
	document: number,
	content: Uint8Array | SpooledContent,
	hasVectors: boolean,
): number {
	file.prepare("DELETE FROM uploads WHERE document = ?").run(document);
	const { lastInsertRowid } = file
		.prepare("INSERT INTO uploads (document, with_vectors, content) VALUES (?, ?, ?)")
		.run(document, hasVectors ? 1 : 0, "sha256" in content ? readSpooled(content) : content);
	return Number(lastInsertRowid);
}
