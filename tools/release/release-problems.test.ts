import { expect, it } from "vitest";
import { findReleaseProblems } from "./release-problems";

const READY = {
	tag: "v0.1.0",
	versions: ["0.1.0", "0.1.0"],
	changesets: [],
	notes: "## stemma\n\n- First.\n",
};

it("finds nothing where tag, versions, changesets and notes fit", () => {
	expect(findReleaseProblems(READY)).toEqual([]);
});

it.each([
	[{ tag: "v0.2.0" }, /The tag is v0\.2\.0, .* Tag the commit v0\.1\.0/],
	[{ tag: "0.1.0" }, /Tag the commit v0\.1\.0/],
	[{ versions: ["0.1.0", "0.1.1"] }, /several versions: 0\.1\.0, 0\.1\.1/],
	[{ changesets: ["bold-cats.md"] }, /release:version first.*bold-cats\.md/],
	[{ notes: " \n" }, /No changelog/],
])("refuses %j", (change, problem) => {
	const problems = findReleaseProblems({ ...READY, ...change });
	expect(problems).toHaveLength(1);
	expect(problems[0]).toMatch(problem);
});
