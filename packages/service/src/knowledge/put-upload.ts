import type { JobFile } from "../store/jobs";
import { readSpooled } from "../store/read-spooled";
import type { SpooledContent } from "../store/spool";

/**
 * At the end of its queue, in place of an earlier upload for the same document.
 *
 * @returns its number.
 */
export function putUpload(
	file: JobFile,
	document: number,
	content: Uint8Array | SpooledContent,
	withVectors: boolean,
): number {
	file.prepare("DELETE FROM uploads WHERE document = ?").run(document);
	const { lastInsertRowid } = file
		.prepare("INSERT INTO uploads (document, with_vectors, content) VALUES (?, ?, ?)")
		.run(document, withVectors ? 1 : 0, "sha256" in content ? readSpooled(content) : content);
	return Number(lastInsertRowid);
}
