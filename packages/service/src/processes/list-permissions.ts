import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Flags of Node's permission model: a script may read its own folder and the packages that it needs, and start threads. It
 * writes no file, starts no program and loads no native code. From Node 25 on it has no network either.
 *
 * @param others - further folders that it may read.
 */
export function listPermissions(script: URL, others: readonly string[] = []): string[] {
	if (!process.allowedNodeEnvironmentFlags.has("--permission")) return [];
	const folders = [...listReadableFolders(realpathSync(dirname(fileURLToPath(script)))), ...others];
	return ["--permission", "--allow-worker", ...folders.map((path) => `--allow-fs-read=${join(path, sep)}*`)];
}

/** Folders of modules: those around a folder, and those of packages that are linked from elsewhere. */
function listReadableFolders(folder: string): string[] {
	const found = new Set([folder, ...listModuleFolders(folder)]);
	const isReadable = (path: string): boolean =>
		[...found].some((parent) => path.startsWith(join(parent, sep)));
	for (const name of listDependencies(folder)) {
		const linked = listModuleFolders(folder).find((modules) => existsSync(join(modules, name)));
		if (linked === undefined) continue;
		const path = realpathSync(join(linked, name));
		if (!isReadable(path)) for (const added of [path, ...listModuleFolders(path)]) found.add(added);
	}
	return [...found];
}

const listParents = (folder: string): string[] =>
	dirname(folder) === folder ? [folder] : [folder, ...listParents(dirname(folder))];

const listModuleFolders = (folder: string): string[] =>
	listParents(folder)
		.map((parent) => join(parent, "node_modules"))
		.filter((path) => existsSync(path));

/** Names of the packages that the package of a folder may need. */
function listDependencies(folder: string): string[] {
	const manifest = listParents(folder)
		.map((parent) => join(parent, "package.json"))
		.find((path) => existsSync(path));
	if (manifest === undefined) return [];
	const { dependencies = {}, peerDependencies = {} } = JSON.parse(readFileSync(manifest, "utf8"));
	return [...Object.keys(dependencies), ...Object.keys(peerDependencies)];
}
