import { describe, expect, it } from "vitest";
import type { LocalDocument } from "./local-document";
import { planIngest, type StoredDocument } from "./plan-ingest";

const local = (source: string, sha256 = "same"): LocalDocument => ({
	source,
	sha256,
	file: `docs/${source}`,
	size: 1,
	isEmpty: false,
});

const stored = (source: string | null, more: Partial<StoredDocument> = {}): StoredDocument => ({
	id: `doc_${source}`,
	source,
	status: "ready",
	content_sha256: "same",
	...more,
});

const always = () => true;

describe("planIngest", () => {
	it("uploads what is new, has changed, or failed before", () => {
		const plan = planIngest(
			[local("new.md"), local("changed.md", "other"), local("failed.md"), local("same.md")],
			[stored("changed.md"), stored("failed.md", { status: "failed" }), stored("same.md")],
			always,
		);
		expect(plan.uploads.map(({ document, kind }) => [document.source, kind])).toEqual([
			["new.md", "new"],
			["changed.md", "changed"],
			["failed.md", "retry"],
		]);
		expect(plan.unchanged.map(({ source }) => source)).toEqual(["same.md"]);
	});

	it.each(["queued", "processing"] as const)("does not upload again what is %s", (status) => {
		expect(planIngest([local("a.md")], [stored("a.md", { status })], always).uploads).toEqual([]);
	});

	it("removes only what has a source that is gone", () => {
		const all = [stored("a.md"), stored("gone.md"), stored("locked/b.md"), stored(null)];
		const plan = planIngest([local("a.md")], all, (source) => !source.startsWith("locked/"));
		expect(plan.removals.map(({ source }) => source)).toEqual(["gone.md"]);
	});
});
