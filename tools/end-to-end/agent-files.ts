import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Fills a folder for a runtime, by file names. */
export async function writeAgents(folder: string, files: Readonly<Record<string, object>>): Promise<void> {
	await Promise.all(
		Object.entries(files).map(([name, content]) => writeFile(join(folder, name), JSON.stringify(content))),
	);
}
