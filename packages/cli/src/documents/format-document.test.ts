import type { KnowledgeDocument } from "@stemma/client";
import { expect, it } from "vitest";
import { formatDocument, formatDocuments } from "./format-document";

const toDocument = (id: string, parent_id?: string): KnowledgeDocument => ({
	...{ id, title: id, source: null, format: "eml", status: "ready", error: null, size_bytes: 1 },
	...{ knowledge_base_id: "kb", content_sha256: "", passage_count: 1, metadata: {} },
	...{ created_at: "", updated_at: "" },
	...(parent_id !== undefined && { parent_id }),
});

it("lists attachments below their mail, and those of mails that are not listed where they are", () => {
	const all = [toDocument("mail"), toDocument("other"), toDocument("stray", "elsewhere")];
	const lines = formatDocuments([...all, toDocument("inner", "mail"), toDocument("file", "inner")]).split(
		"\n",
	);
	expect(lines.slice(1, -1).map((line) => line.replace(/^.* bytes +\S+ +/, ""))).toEqual([
		"mail",
		"└ inner",
		"└ └ file",
		"other",
		"stray",
	]);
});

it("names the pages that were not read", () => {
	const scanned = { ...toDocument("contract"), unread_pages: [3, 7] };
	expect(formatDocuments([scanned])).toContain("pages not read: 3, 7 (only drawn, as in a scan)");
	expect(formatDocument(scanned)).toMatch(/^ *pages not read +3, 7 \(only drawn, as in a scan\)$/m);
	expect(formatDocument(toDocument("contract"))).not.toContain("not read");
});
