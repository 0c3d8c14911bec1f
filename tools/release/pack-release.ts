import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { root } from "../sources/list-files.ts";
import { listReleasePackages, type ReleasePackage, toTarballName } from "./release-packages.ts";

const execute = promisify(execFile);
const shell = process.platform === "win32";

/** Folder of the tarballs of the last dry run. */
export const releaseFolder: string = join(root, ".stemma/release");

/** A tarball as npm would publish it. Sizes are in bytes. */
export interface PackedPackage {
	readonly name: string;
	readonly version: string;
	readonly file: string;
	readonly packedBytes: number;
	readonly unpackedBytes: number;
	readonly files: number;
}

/**
 * Builds what is committed in a clone of its own, so that nothing of this checkout gets into a package, and packs all packages
 * into `releaseFolder`, which is emptied first. Asks npm to publish each without doing so.
 */
export async function packRelease(): Promise<readonly PackedPackage[]> {
	await rm(releaseFolder, { recursive: true, force: true });
	await mkdir(releaseFolder, { recursive: true });
	const clone = await mkdtemp(join(tmpdir(), "stemma-release-"));
	try {
		await execute("git", ["clone", "--quiet", "--depth", "1", pathToFileURL(root).href, clone]);
		await runVisibly(process.execPath, ["scripts/task.mjs", "build"], clone);
		const packed: PackedPackage[] = [];
		for (const one of listReleasePackages()) packed.push(await pack(one, clone));
		return packed;
	} finally {
		await rm(clone, { recursive: true, force: true });
	}
}

async function pack({ folder, manifest }: ReleasePackage, clone: string): Promise<PackedPackage> {
	const file = join(releaseFolder, toTarballName(manifest));
	const cwd = join(clone, "packages", folder);
	await execute(join(clone, "node_modules/.bin/pnpm"), ["pack", "--out", file], { cwd, shell });
	const { stdout } = await execute("npm", ["publish", file, "--dry-run", "--json"], { cwd: clone, shell });
	const { name, version, unpackedSize, entryCount } = readPublishReport(stdout, manifest.name);
	return {
		...{ name, version, file },
		packedBytes: (await stat(file)).size,
		...{ unpackedBytes: unpackedSize, files: entryCount },
	};
}

interface PublishReport {
	readonly name: string;
	readonly version: string;
	readonly unpackedSize: number;
	readonly entryCount: number;
}

/** Later versions of npm put the report under the name of the package. */
function readPublishReport(json: string, name: string): PublishReport {
	const report = JSON.parse(json);
	return report[name] ?? report;
}

/** Runs a program whose output is shown as it comes. */
function runVisibly(command: string, args: readonly string[], cwd: string): Promise<void> {
	return new Promise((resolve, reject) => {
		const child = spawn(command, args, { cwd, stdio: ["ignore", "inherit", "inherit"] });
		child.on("error", reject);
		child.on("close", (status) =>
			status === 0 ? resolve() : reject(new Error(`${args.join(" ")} failed in ${cwd}.`)),
		);
	});
}
