import { expect, it } from "vitest";
import { keepBehindLinks } from "./keep-behind-links";
import type { StoredDocument } from "./plan-ingest";

const stored = (source: string): StoredDocument => ({
	id: `doc_${source}`,
	source,
	status: "ready",
	content_sha256: "same",
});

it("removes nothing that is at or below a link", () => {
	const sources = ["gone.md", "more/a.md", "more/deep/b.md", "more.md", "notes.md"];
	const { plan, behindLinks } = keepBehindLinks(
		{ uploads: [], unchanged: [], removals: sources.map(stored) },
		["more", "notes.md", "unused"],
	);
	expect(plan.removals.map(({ source }) => source)).toEqual(["gone.md", "more.md"]);
	expect(behindLinks).toEqual([
		{ link: "more", documents: 2 },
		{ link: "notes.md", documents: 1 },
	]);
});
