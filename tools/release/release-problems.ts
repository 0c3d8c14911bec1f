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
	/** Tag of the release before; left out before the first one. */
	readonly previousTag?: string | undefined;
	/** Changes of the HTTP API since then that break its clients. */
	readonly apiChanges: readonly string[];
}

/** Says why a tag cannot be released, and what to do. Empty where it can. */
export function findReleaseProblems(state: ReleaseState): readonly string[] {
	const { tag, versions, changesets, notes, previousTag, apiChanges } = state;
	const problems: string[] = [];
	const [version = ""] = versions;
	if (new Set(versions).size !== 1)
		problems.push(`The packages have several versions: ${[...new Set(versions)].sort().join(", ")}.`);
	else if (tag !== `v${version}`)
		problems.push(`The tag is ${tag}, and the packages have version ${version}. Tag the commit v${version}.`);
	if (changesets.length > 0)
		problems.push(`Run npm run release:version first: no version has ${changesets.join(", ")} yet.`);
	if (notes.trim() === "") problems.push(`No changelog says what ${version} brings.`);
	if (apiChanges.length > 0 && previousTag !== undefined && !mayBreak(previousTag, tag))
		problems.push(
			`The HTTP API breaks clients of ${previousTag}. Take that back, or raise the version as docs/support.md says:\n${apiChanges.join("\n")}`,
		);
	return problems;
}

/** Checks for a version in which something may change that is used: 0.x.0 before 1.0, x.0.0 after. */
function mayBreak(previousTag: string, tag: string): boolean {
	const [[major, minor], [nextMajor, nextMinor]] = [toNumbers(previousTag), toNumbers(tag)];
	return major !== nextMajor || (major === "0" && minor !== nextMinor);
}

function toNumbers(tag: string): readonly [major: string, minor: string] {
	const [, major = "", minor = ""] = /^v(\d+)\.(\d+)\./.exec(tag) ?? [];
	return [major, minor];
}
