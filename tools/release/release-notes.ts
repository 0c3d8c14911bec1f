/** Changelog of one package, with the name under which npm has it. */
export interface PackageChangelog {
	readonly name: string;
	readonly text: string;
}

const KIND_HEADING = /^### (?:Major|Minor|Patch) Changes$/gm;

/** Notes of a release in Markdown: what the changelog of each package says of the version, under the name of the package. */
export function toReleaseNotes(changelogs: readonly PackageChangelog[], version: string): string {
	return changelogs
		.map(({ name, text }) => ({ name, section: toSection(text, version) }))
		.filter(({ section }) => section !== "")
		.map(({ name, section }) => `## ${name}\n\n${section}\n`)
		.join("\n");
}

function toSection(changelog: string, version: string): string {
	const section = changelog.split(/^## /m).find((text) => text.split("\n", 1)[0]?.trim() === version) ?? "";
	return section
		.slice(version.length)
		.replaceAll(KIND_HEADING, "")
		.replaceAll(/\n{3,}/g, "\n\n")
		.trim();
}
