import { expect, it } from "vitest";
import type { PlannedUpload } from "./plan-ingest";
import { toBatches } from "./to-batches";

const upload = (size: number): PlannedUpload => ({
	kind: "new",
	document: { source: "a.md", file: "a.md", sha256: "", size, isEmpty: false },
});

const sizes = (uploads: readonly PlannedUpload[]): number[][] =>
	toBatches(uploads).map((batch) => batch.map(({ document }) => document.size));

it("puts small files together, up to a number and a size, in their order", () => {
	expect(sizes(Array.from({ length: 20 }, () => upload(1))).map(({ length }) => length)).toEqual([16, 4]);
	expect(sizes([upload(600_000), upload(300_000), upload(200_000), upload(1)])).toEqual([
		[600_000, 300_000],
		[200_000, 1],
	]);
});

it("sends large files alone", () => {
	expect(sizes([upload(5_000_000), upload(1), upload(5_000_000)])).toEqual([[5_000_000], [1], [5_000_000]]);
});

it("makes nothing of nothing", () => {
	expect(toBatches([])).toEqual([]);
});
