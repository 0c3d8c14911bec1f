import { expect, it } from "vitest";
import { describeIngest, type IngestReport, toJsonReport } from "./ingest-report";

const report: IngestReport = {
	new: 12,
	changed: 3,
	unchanged: 1060,
	removed: 2,
	failed: [{ source: "a.md", reason: "it is empty" }],
	passages: 11_140,
	skipped: [],
	empty: [],
	kept: [],
	behindLinks: [{ link: "shared", documents: 2 }],
	leftOut: [
		{ kind: "format", extension: ".png", count: 2 },
		{ kind: "format", extension: "", count: 1 },
		{ kind: "hidden_folder", extension: "", count: 1 },
	],
	kinds: [{ kind: "PDF", counts: { new: 1, changed: 0, unchanged: 2, failed: 0, skipped: 0, empty: 0 } }],
	ms: 1234.5,
};

it("counts as documents what can be searched", () => {
	expect(describeIngest(report)).toBe(
		"Ingested 1,075 documents (12 new, 3 changed, 1,060 unchanged, 2 removed, 1 failed; 11,140 passages) in 1.2 s.\nLeft out: 2 .png, 1 without extension, 1 hidden folder.",
	);
	const one = { ...report, new: 1, changed: 0, unchanged: 0, passages: 1 };
	expect(describeIngest(one)).toContain("Ingested 1 document (1 new,");
	expect(describeIngest(one)).toContain("; 1 passage)");
});

it("tells programs the same", () => {
	expect(toJsonReport(report, "kb_1")).toEqual({
		knowledge_base_id: "kb_1",
		new: 12,
		changed: 3,
		unchanged: 1060,
		removed: 2,
		failed: [{ source: "a.md", reason: "it is empty" }],
		skipped: [],
		empty: [],
		kept: [],
		behind_links: [{ link: "shared", documents: 2 }],
		passages: 11_140,
		left_out: 4,
		left_out_kinds: { ".png": 2, "without extension": 1, "hidden folder": 1 },
		kinds: { PDF: { new: 1, changed: 0, unchanged: 2, failed: 0, skipped: 0, empty: 0 } },
		ms: 1235,
	});
});

it("names what was skipped or is empty only where there is something", () => {
	const skipped = [{ source: "b.md", reason: "it is binary" }];
	const text = describeIngest({ ...report, failed: [], skipped, empty: ["c.md"], leftOut: [] });
	expect(text).toContain("2 removed, 0 failed, 1 skipped, 1 empty; ");
	expect(text).not.toContain("Left out");
});

it("takes controls out of what was left out", () => {
	const leftOut = [{ kind: "format", extension: ".\u001B[2Jpng", count: 1 }] as const;
	expect(describeIngest({ ...report, leftOut })).toContain("Left out: 1 .[2Jpng.");
});
