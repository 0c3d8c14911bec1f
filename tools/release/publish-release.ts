import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { releaseFolder } from "./pack-release.ts";
import { listReleasePackages, toTarballName } from "./release-packages.ts";

const execute = promisify(execFile);

/**
 * Publishes the tarballs of the last dry run, each after those that it depends on. Those that npm already has are left out, so that
 * a release that stopped halfway is run again. The credential is npm's: a trusted publisher, or `NODE_AUTH_TOKEN`.
 *
 * @throws where a tarball is missing, or npm refuses one.
 */
export async function publishRelease(log: (line: string) => void): Promise<void> {
	for (const { manifest } of listReleasePackages()) {
		const { name, version } = manifest;
		const file = join(releaseFolder, toTarballName(manifest));
		if (!existsSync(file)) throw new Error(`${file} is missing. Run npm run release:dry first.`);
		if (await isPublished(name, version)) {
			log(`npm has ${name} ${version}`);
			continue;
		}
		// What is not a plain version, such as 0.2.0-beta.1, is installed only by those who ask for it.
		await execute("npm", ["publish", file, "--tag", version.includes("-") ? "next" : "latest"]);
		log(`published ${name} ${version}`);
	}
}

async function isPublished(name: string, version: string): Promise<boolean> {
	try {
		const { stdout } = await execute("npm", ["view", `${name}@${version}`, "version"]);
		return stdout.trim() === version;
	} catch (error) {
		if (String((error as { readonly stderr?: unknown }).stderr).includes("E404")) return false;
		throw error;
	}
}
