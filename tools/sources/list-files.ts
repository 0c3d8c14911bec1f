import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Absolute path of the repository. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Folders of installed, built or recorded files. */
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", "dist", "__fixtures__", "__snapshots__"]);

/** Paths of the files below `folders` (relative to `base`, with slashes), sorted; hidden ones and those of `SKIPPED` left out. */
export function listFiles(folders: readonly string[], pattern: RegExp, base: string = root): string[] {
	return folders
		.flatMap((folder) => walk(base, folder))
		.filter((path) => pattern.test(path))
		.sort();
}

function walk(base: string, folder: string): string[] {
	return readdirSync(join(base, folder), { withFileTypes: true }).flatMap((entry) => {
		if (entry.name.startsWith(".") || SKIPPED.has(entry.name)) return [];
		const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
		if (entry.isDirectory()) return walk(base, path);
		return entry.isFile() ? [path] : [];
	});
}
