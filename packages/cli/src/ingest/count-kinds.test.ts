import { expect, it } from "vitest";
import { countKinds, type DocumentOutcome } from "./count-kinds";
import { describeIngest } from "./ingest-report";

const outcomes = new Map<string, DocumentOutcome>([
	["a.pdf", "new"],
	["b.pdf", "unchanged"],
	["scan.pdf", "failed"],
	["c.md", "changed"],
	["empty.md", "empty"],
	["fees.xlsx", "new"],
	["secret folder", "failed"],
]);
const NO_REPORT = {
	...{ new: 2, changed: 1, unchanged: 1, removed: 0, passages: 9, skipped: [], empty: [], kept: [] },
	...{ failed: [], behindLinks: [], leftOut: [], ms: 100 },
};

it("counts documents by their format, the most frequent first", () => {
	const kinds = countKinds(outcomes);
	expect(kinds.map(({ kind }) => kind)).toEqual(["PDF", "Markdown", expect.stringMatching(/Excel/)]);
	expect(kinds[0]?.counts).toEqual({ new: 1, changed: 0, unchanged: 1, failed: 1, skipped: 0, empty: 0 });
});

it("names each kind on a line of its own, where there are several", () => {
	const lines = describeIngest({ ...NO_REPORT, kinds: countKinds(outcomes) }).split("\n");
	expect(lines.slice(1)).toEqual([
		expect.stringMatching(/^ {2}PDF +3: 1 new, 1 unchanged, 1 failed$/),
		expect.stringMatching(/^ {2}Markdown +2: 1 changed, 1 empty$/),
		expect.stringMatching(/^ {2}\S.* 1: 1 new$/),
	]);
	const one = countKinds(new Map([["a.md", "new"]]));
	expect(describeIngest({ ...NO_REPORT, kinds: one })).not.toContain("\n");
});
