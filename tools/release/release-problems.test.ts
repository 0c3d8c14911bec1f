import { expect, it } from "vitest";
import { findReleaseProblems } from "./release-problems";

const READY = {
	tag: "v0.1.0",
	versions: ["0.1.0", "0.1.0"],
	changesets: [],
	notes: "## stemma\n\n- First.\n",
	apiChanges: [],
};
const BROKEN = { apiChanges: ["POST /v1/ask: An operation is not there any more."] };

const toRelease = (version: string) => ({ tag: `v${version}`, versions: [version] });

it.each([
	["v0.1.1", "0.2.0"],
	["v0.9.0", "1.0.0"],
	["v1.9.0", "2.0.0"],
])("lets the HTTP API break clients from %s to %s", (previousTag, version) => {
	expect(findReleaseProblems({ ...READY, ...BROKEN, previousTag, ...toRelease(version) })).toEqual([]);
});

it("finds nothing where tag, versions, changesets and notes fit", () => {
	expect(findReleaseProblems(READY)).toEqual([]);
});

it.each([
	[{ tag: "v0.2.0" }, /The tag is v0\.2\.0, .* Tag the commit v0\.1\.0/],
	[{ tag: "0.1.0" }, /Tag the commit v0\.1\.0/],
	[{ versions: ["0.1.0", "0.1.1"] }, /several versions: 0\.1\.0, 0\.1\.1/],
	[{ changesets: ["bold-cats.md"] }, /release:version first.*bold-cats\.md/],
	[{ notes: " \n" }, /No changelog/],
	[
		{ ...BROKEN, previousTag: "v0.1.1", ...toRelease("0.1.2") },
		/breaks clients of v0\.1\.1.*POST \/v1\/ask/s,
	],
	[{ ...BROKEN, previousTag: "v1.1.0", ...toRelease("1.2.0") }, /breaks clients of v1\.1\.0/],
])("refuses %j", (change, problem) => {
	const problems = findReleaseProblems({ ...READY, ...change });
	expect(problems).toHaveLength(1);
	expect(problems[0]).toMatch(problem);
});
