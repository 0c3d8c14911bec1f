import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** As on a new machine: no binary of this checkout is found, and nothing of this process's own settings. */
export const CLONE_ENVIRONMENT: NodeJS.ProcessEnv = {
	PATH: (process.env.PATH ?? "")
		.split(delimiter)
		.filter((folder) => !folder.startsWith(root) && !folder.includes("node_modules"))
		.join(delimiter),
	HOME: process.env.HOME,
	npm_config_cache: process.env.npm_config_cache,
};

/** A copy of what is checked in, or is about to be, in a new folder. Nothing is installed or built there. */
export function createClone(): string {
	const clone = mkdtempSync(join(tmpdir(), "stemma-clone-"));
	const list = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
	const files = execFileSync("git", list, { cwd: root, encoding: "utf8" }).split("\0");
	for (const file of files) if (file !== "") copyTo(clone, file);
	return clone;
}

/** Copies what was built here to a clone, with the stamp that tells whether it is up to date. */
export function copyBuild(clone: string): void {
	for (const name of readdirSync(join(root, "packages"))) copyTo(clone, join("packages", name, "dist"));
	copyTo(clone, join("node_modules", ".stemma", "built"));
}

function copyTo(clone: string, path: string): void {
	if (existsSync(join(root, path)))
		cpSync(join(root, path), join(clone, path), { recursive: true, force: true });
}
