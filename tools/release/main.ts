// npm run release:version: changesets → versions and changelogs. npm run release:dry: builds and packs what is committed, as npm
// would publish it. In the workflow of a release: check <tag>, notes, publish.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../sources/list-files.ts";
import { findPreviousTag, listApiChanges } from "./api-changes.ts";
import { type PackedPackage, packRelease, releaseFolder } from "./pack-release.ts";
import { publishRelease } from "./publish-release.ts";
import { raiseVersions } from "./raise-versions.ts";
import { toReleaseNotes } from "./release-notes.ts";
import { listReleasePackages } from "./release-packages.ts";
import { findReleaseProblems } from "./release-problems.ts";

const packages = listReleasePackages();
const version = packages[0]?.manifest.version ?? "";

const COMMANDS: Readonly<Record<string, (tag?: string) => unknown>> = {
	version: () => console.log(`All packages have version ${raiseVersions()}. Read their changelogs.`),
	dry,
	check,
	notes: () => console.log(createNotes()),
	publish: () => publishRelease(console.log),
};

async function dry(): Promise<void> {
	const changes = execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" }).trim();
	if (changes !== "") console.error(`Not in these packages, since it is not committed:\n${changes}`);
	const packed = await packRelease();
	console.table(Object.fromEntries(packed.map(toRow)));
	console.log(`${packed.length} packages are in ${releaseFolder}. Nothing was published.`);
}

const toRow = ({ name, version, packedBytes, unpackedBytes, files }: PackedPackage): [string, object] => [
	name,
	{ version, "packed kB": toKilobytes(packedBytes), "unpacked kB": toKilobytes(unpackedBytes), files },
];

const toKilobytes = (bytes: number): number => Math.round(bytes / 100) / 10;

function check(tag = ""): void {
	const previousTag = findPreviousTag();
	const problems = findReleaseProblems({
		tag,
		versions: packages.map(({ manifest }) => manifest.version),
		changesets: readdirSync(join(root, ".changeset")).filter((file) => file.endsWith(".md")),
		notes: createNotes(),
		previousTag,
		apiChanges: previousTag === undefined ? [] : listApiChanges(previousTag),
	});
	for (const problem of problems) console.error(problem);
	process.exitCode = problems.length === 0 ? 0 : 1;
}

function createNotes(): string {
	const changelogs = packages.flatMap(({ folder, manifest: { name } }) => {
		const file = join(root, "packages", folder, "CHANGELOG.md");
		return existsSync(file) ? [{ name, text: readFileSync(file, "utf8") }] : [];
	});
	return toReleaseNotes(changelogs, version);
}

const [name = "", argument] = process.argv.slice(2);
const command = COMMANDS[name];
if (command === undefined) {
	console.error(`There is no command "${name}". Commands: ${Object.keys(COMMANDS).join(", ")}.`);
	process.exitCode = 1;
} else await command(argument);
