import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Finds out whether the clone has a commit: a shallow one has not. */
export function hasCommit(commit: string): boolean {
	try {
		execFileSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: root, stdio: "ignore" });
		return true;
	} catch {
		return false;
	}
}

/** Builds a commit in a folder of its own, with its own dependencies; a second time it is there. @returns its clone. */
export async function buildCommit(commit: string): Promise<string> {
	const folder = join(root, ".stemma", "versions", commit);
	const stamp = join(folder, ".stemma-built");
	if (existsSync(stamp)) return folder;
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const archive = `${folder}.tar`;
	await run("git", ["archive", "--output", archive, commit], { cwd: root });
	await run("tar", ["-xf", archive, "-C", folder]);
	rmSync(archive);
	// Of its tasks, this one builds what its command needs, and no types.
	await run(process.execPath, ["scripts/task.mjs", "stemma", "--version"], { cwd: folder });
	writeFileSync(stamp, "");
	return folder;
}
