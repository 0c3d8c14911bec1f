/** What a release is checked for before anything is published. */
export interface ReleaseState {
	/** Tag that the release is made from, such as `v0.1.0`. */
	readonly tag: string;
	/** Versions of the packages that are published. */
	readonly versions: readonly string[];
	/** Changesets that no version has taken up, by their file names. */
	readonly changesets: readonly string[];
	/** Notes of the version, in Markdown. */
	readonly notes: string;
}

/** Says why a tag cannot be released, and what to do. Empty where it can. */
export function findReleaseProblems({ tag, versions, changesets, notes }: ReleaseState): readonly string[] {
	const problems: string[] = [];
	const [version = ""] = versions;
	if (new Set(versions).size !== 1)
		problems.push(`The packages have several versions: ${[...new Set(versions)].sort().join(", ")}.`);
	else if (tag !== `v${version}`)
		problems.push(`The tag is ${tag}, and the packages have version ${version}. Tag the commit v${version}.`);
	if (changesets.length > 0)
		problems.push(`Run npm run release:version first: no version has ${changesets.join(", ")} yet.`);
	if (notes.trim() === "") problems.push(`No changelog says what ${version} brings.`);
	return problems;
}
