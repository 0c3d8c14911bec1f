import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Fields of a `package.json` that tests look at. */
export interface PackageManifest {
	readonly name: string;
	readonly version: string;
	readonly private?: boolean;
	readonly files?: readonly string[];
	readonly keywords?: readonly string[];
	readonly dependencies?: Readonly<Record<string, string>>;
	readonly [field: string]: unknown;
}

/** Manifest of a package by its folder in `packages/`. */
export const readManifest = (folder: string): PackageManifest =>
	JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8"));

/** Folders of all packages of the workspace. */
export const PACKAGES: readonly string[] = readdirSync(join(root, "packages")).sort();

/** Folders of the packages that npm gets: those that are not private. */
export const PUBLISHED: readonly string[] = PACKAGES.filter(
	(folder) => readManifest(folder).private !== true,
);

/** Packs a package into `file` as `pnpm publish` does. */
export async function packPublished(folder: string, file: string): Promise<void> {
	const pnpm = join(root, "node_modules/.bin/pnpm");
	await execute(pnpm, ["pack", "--out", file], { cwd: join(root, "packages", folder) });
}

/** Packs a package, and unpacks it into `target`. Returns the absolute paths of its files. */
export async function unpackPublished(folder: string, target: string): Promise<readonly string[]> {
	await mkdir(target, { recursive: true });
	await packPublished(folder, `${target}.tgz`);
	await execute("tar", ["-xzf", `${target}.tgz`, "-C", target, "--strip-components=1"]);
	const entries = await readdir(target, { recursive: true, withFileTypes: true });
	return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
