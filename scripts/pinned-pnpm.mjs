// pnpm as it is pinned: its version and hash by `packageManager` of package.json, the hashes of its programs by pnpm-lock.yaml. As
// a program, it installs that pnpm for the whole machine, as in the Dockerfile.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { currentHost } from "./node-version.mjs";
import { programOf } from "./program-of.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs npm; gives what it printed. */
export async function runNpm(npmArgs, options = {}) {
	const { command, args, shell } = programOf(process.platform, "npm", npmArgs);
	return (await promisify(execFile)(command, args, { shell, ...options })).stdout;
}

/**
 * Downloads the pinned pnpm, checks its hashes, and calls back with the tarballs, which are deleted afterwards.
 *
 * @param {(tarballs: readonly string[]) => Promise<void>} use
 */
export async function withPinnedPnpm(use) {
	const folder = mkdtempSync(join(tmpdir(), "stemma-pnpm-"));
	try {
		const tarballs = [];
		for (const { spec, sha512 } of readPins()) tarballs.push(await download(spec, sha512, folder));
		await use(tarballs);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Packages of pnpm for this platform, each with its hash in hexadecimal. */
export function readPins({ platform, arch, isMusl } = currentHost()) {
	const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
	const [, version = "", sha512 = ""] = /^pnpm@([\d.]+)\+sha512\.([0-9a-f]{128})$/.exec(packageManager) ?? [];
	const lockfile = readFileSync(join(root, "pnpm-lock.yaml"), "utf8");
	const program = `@pnpm/exe.${platform}-${arch}${isMusl ? "-musl" : ""}@${version}`;
	const [, entry = ""] = lockfile.split(`\n  '${program}':\n`);
	const [, integrity] = /^ {4}resolution: \{integrity: sha512-([\w+/=]+)\}/.exec(entry) ?? [];
	const pins = [{ spec: `pnpm@${version}`, sha512 }];
	// The lockfile has the platforms that the repository is developed on; elsewhere pnpm itself names the version.
	return integrity === undefined
		? pins
		: [...pins, { spec: program, sha512: Buffer.from(integrity, "base64").toString("hex") }];
}

async function download(spec, sha512, folder) {
	const name = (await runNpm(["pack", spec, "--silent", "--pack-destination", folder])).trim();
	const file = join(folder, name);
	const found = createHash("sha512").update(readFileSync(file)).digest("hex");
	if (found !== sha512) throw new Error(`${spec} is not what this repository pins: its hash is ${found}.`);
	return file;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
	await withPinnedPnpm((tarballs) => runNpm(["install", "--global", "--no-fund", "--no-audit", ...tarballs]));
