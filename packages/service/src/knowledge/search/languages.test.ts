import { beforeEach, expect, it } from "vitest";
import type { Knowledge } from "../knowledge";
import { languageCases } from "../test-support/language-cases";
import { openKnowledgeDatabase, startKnowledge } from "../test-support/memory-knowledge";

let knowledge: Knowledge;
beforeEach(async () => {
	knowledge = await startKnowledge(openKnowledgeDatabase());
});

it.each(languageCases)("finds %s", async (_, query, ...documents) => {
	const { id } = await knowledge.createKnowledgeBase({ name: "Cases" });
	await knowledge.addDocuments(
		id,
		documents.toReversed().map((content) => ({ content, format: "text", title: "Note" })),
	);
	await knowledge.waitUntilIdle();
	const [first] = await knowledge.search({ query, knowledge_base_ids: [id] });
	expect(first?.text).toBe(documents[0]);
});

it.each([
	[15, "Security bugs that are disclosed have a report."],
	[1, "Reporting, about bugs in security: a page."],
])("finds what a word negates, where %i passages have that", async (count, expected) => {
	const { id } = await knowledge.createKnowledgeBase({ name: "Negations" });
	const texts = [
		"Security bugs that are disclosed have a report.",
		"Undisclosed payments.",
		"Reporting, about bugs in security: a page.",
		...Array.from(
			{ length: 40 },
			(_, index) => `Page ${index} is ${index < count - 1 ? "disclosed" : "long"}.`,
		),
	];
	await knowledge.addDocuments(
		id,
		texts.toReversed().map((content) => ({ content, format: "text", title: "Note" })),
	);
	await knowledge.waitUntilIdle();
	const query = "what is the report for undisclosed security bugs";
	const found = await knowledge.search({ query, knowledge_base_ids: [id], top_k: 3 });
	expect(found.map(({ text }) => text).slice(0, 1)).toEqual([expected]);
});
