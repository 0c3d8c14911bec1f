import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Lists the files of a folder and of those below it: relative, with slashes, sorted. */
export async function listFiles(folder: string): Promise<readonly string[]> {
	const entries = await readdir(folder, { withFileTypes: true });
	const files = await Promise.all(
		entries.map(async (entry) =>
			entry.isDirectory()
				? (await listFiles(join(folder, entry.name))).map((file) => `${entry.name}/${file}`)
				: [entry.name],
		),
	);
	return files.flat().sort();
}
