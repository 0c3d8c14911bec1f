import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readManifest } from "../packed/published.ts";
import { root } from "../sources/list-files.ts";

/** Manifest of the example that is no part of the workspace, so that changesets does not see it. */
const EXAMPLE = join(root, "examples/react-native-app/package.json");

/** Turns the changesets into versions and changelogs. Returns the version that all packages have then. */
export function raiseVersions(): string {
	const changesets = join(root, "node_modules/@changesets/cli/bin.js");
	execFileSync(process.execPath, [changesets, "version"], { cwd: root, stdio: "inherit" });
	const { version } = readManifest("client");
	writeFileSync(EXAMPLE, withSiblingVersions(readFileSync(EXAMPLE, "utf8"), version));
	return version;
}

/** Manifest whose dependencies on packages of this repository have a version. */
export const withSiblingVersions = (manifest: string, version: string): string =>
	manifest.replaceAll(/("@stemma\/[\w-]+": ")[^"]*"/g, `$1${version}"`);
