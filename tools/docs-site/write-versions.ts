import { copyFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// node tools/docs-site/write-versions.ts <folder>: makes one site of the versions that have a folder of their own in it.

const VERSION = /^\d+\.\d+\.\d+/;

const newestFirst = new Intl.Collator("en", { numeric: true });

/** Orders versions, the newest first; a version before its release is older than the release (semver.org, 11). */
export const sortVersions = (names: readonly string[]): readonly string[] =>
	names
		.filter((name) => VERSION.test(name))
		.sort((a, b) => {
			const [releaseA = "", previewA] = a.split("-");
			const [releaseB = "", previewB] = b.split("-");
			const byRelease = newestFirst.compare(releaseB, releaseA);
			if (byRelease !== 0) return byRelease;
			if (previewA === undefined || previewB === undefined) return previewA === undefined ? -1 : 1;
			return newestFirst.compare(previewB, previewA);
		});

/** Page that leads to a version. */
const toRedirect = (version: string): string => `<!doctype html>
<html lang="en">
	<head>
		<meta charset="utf-8" />
		<title>Stemma</title>
		<meta http-equiv="refresh" content="0; url=${version}/" />
		<link rel="icon" href="data:," />
		<link rel="canonical" href="${version}/" />
	</head>
	<body><a href="${version}/">Stemma ${version}</a></body>
</html>
`;

/**
 * Writes `versions.json`, which the version switch reads, and a start page that leads to the newest release; where there is
 * no release yet, to the newest version.
 */
export async function writeVersions(folder: string): Promise<readonly string[]> {
	const versions = sortVersions(await readdir(folder));
	const newest = versions.find((version) => !version.includes("-")) ?? versions[0];
	if (newest === undefined) throw new Error(`${folder} has no folder of a version.`);
	await writeFile(join(folder, "versions.json"), `${JSON.stringify(versions)}\n`);
	await writeFile(join(folder, "index.html"), toRedirect(newest));
	await copyFile(join(folder, newest, "404.html"), join(folder, "404.html"));
	return versions;
}

const [, program, folder] = process.argv;
if (program !== undefined && import.meta.url === pathToFileURL(program).href) {
	if (folder === undefined) throw new Error("Usage: node tools/docs-site/write-versions.ts <folder>");
	console.log((await writeVersions(folder)).join("\n"));
}
