import { expect, it } from "vitest";
import { describeIngest, type IngestReport, toJsonReport } from "./ingest-report";

const report: IngestReport = {
	new: 12,
	changed: 3,
	unchanged: 1060,
	removed: 2,
	failed: [{ source: "a.md", reason: "it is empty" }],
	passages: 11_140,
	leftOut: [
		{ extension: ".png", count: 2 },
		{ extension: "", count: 1 },
	],
	ms: 1234.5,
};

it("counts as documents what can be searched", () => {
	expect(describeIngest(report)).toBe(
		"Ingested 1,075 documents (12 new, 3 changed, 1,060 unchanged, 2 removed, 1 failed; 11,140 passages) in 1.2 s.",
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
		passages: 11_140,
		left_out: 3,
		ms: 1235,
	});
});
