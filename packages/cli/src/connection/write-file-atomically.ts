import { randomUUID } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";

/** Writes a file in place of what is there: a reader meanwhile finds the old file or the new one, and no link is followed. */
export async function writeFileAtomically(file: string, text: string, mode = 0o666): Promise<void> {
	const draft = `${file}.${randomUUID()}.tmp`;
	await writeFile(draft, text, { flag: "wx", mode });
	await rename(draft, file);
}
