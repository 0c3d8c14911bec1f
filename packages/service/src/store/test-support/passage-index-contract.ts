import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { KnowledgeRepositories } from "../../knowledge/repositories/knowledge-repositories";
import type { SearchInput } from "../../knowledge/repositories/passage-index";
import { ingest, type OpenedKnowledge, space, toNewDocument } from "./knowledge-fixture";

const TEXTS = ["A refund takes 14 days.", "A car has wheels.", "Refunds of a car, a refund indeed."];
const VECTORS = [
	[1, 0],
	[0, 1],
	[0.7, 0.7],
];

/** Contract that each index of passages keeps. @param open - an empty one. */
export function describePassageIndex(open: () => OpenedKnowledge): void {
	describe("an index of passages", () => {
		let opened: OpenedKnowledge;
		let repositories: KnowledgeRepositories;
		let base: string;
		beforeEach(async () => {
			opened = open();
			({ repositories } = opened);
			base = await opened.addKnowledgeBase();
		});
		afterEach(() => opened.close());

		async function search(input: Partial<SearchInput>) {
			const found = await repositories.index.search({
				...{ queries: [{ text: "refund" }], knowledgeBases: [base], topK: 10 },
				...input,
			});
			return "passages" in found ? found.passages : found;
		}
		const searchTexts = async (input: Partial<SearchInput>) => {
			const found = await search(input);
			return "missing" in found ? found : found.map(({ text }) => text);
		};
		const toVector = (...values: number[]) => ({ space, values: Float32Array.from(values) });

		it("finds passages by the stems of their words, best first, and says where they are", async () => {
			const [first] = await ingest(repositories, base, [
				toNewDocument(TEXTS[0] ?? "", { source: "a", metadata: '{"v":1}' }),
				...TEXTS.slice(1).map((text) => toNewDocument(text)),
			]);
			expect(await searchTexts({})).toEqual([TEXTS[2], TEXTS[0]]);
			expect(await search({ queries: [{ text: "days" }] })).toMatchObject([
				{
					...{ document_id: first, knowledge_base_id: base, title: "Read", source: "a", text: TEXTS[0] },
					...{ place: { start: 0, end: TEXTS[0]?.length }, metadata: { v: 1 }, score: expect.any(Number) },
				},
			]);
			expect(await searchTexts({ topK: 1 })).toEqual([TEXTS[2]]);
			expect(await searchTexts({ filter: { v: 1 } })).toEqual([TEXTS[0]]);
			expect(await searchTexts({ filter: { v: 2 } })).toEqual([]);
			expect(await searchTexts({ queries: [{ text: '"NEAR( OR *' }] })).toEqual([]);
		});

		it("searches the knowledge bases that are named, and names one that does not exist", async () => {
			await ingest(repositories, base, [toNewDocument("A refund.")]);
			const other = await opened.addKnowledgeBase();
			await ingest(repositories, other, [toNewDocument("Another refund.")]);
			expect(await searchTexts({ knowledgeBases: [other] })).toEqual(["Another refund."]);
			expect(await searchTexts({ knowledgeBases: [other, base] })).toHaveLength(2);
			expect(await searchTexts({ knowledgeBases: [base, "kb_none"] })).toEqual({ missing: "kb_none" });
		});

		it("gives one of those that repeat each other", async () => {
			const copies = ["a", "b", "c"].map((source) => toNewDocument("A refund takes 14 days.", { source }));
			await ingest(repositories, base, copies);
			expect(await searchTexts({})).toHaveLength(1);
		});

		it("names the others, and ranks the rest as if they were not there", async () => {
			await ingest(repositories, base, [
				toNewDocument("A refund takes 14 days.", { source: "a" }),
				toNewDocument("Refunds of a car, a refund indeed.", { source: "car" }),
				toNewDocument("A refund  takes\n14 days.", { source: "b" }),
				toNewDocument("A refund takes 14 days.", { source: "c" }),
			]);
			for (const topK of [2, 10]) {
				const found = await search({ topK });
				if ("missing" in found) return expect.unreachable();
				const sources = found.map(({ source, also_in = [] }) =>
					[source, ...also_in.map((copy) => copy.source)].sort(),
				);
				expect(sources).toEqual([["car"], ["a", "b", "c"]]);
			}
		});

		it("finds passages by vectors of their own space, and adds the scores of both and of several queries", async () => {
			const documents = TEXTS.map((text) => toNewDocument(text));
			await ingest(repositories, base, documents, VECTORS);
			const wheels = { text: "vehicle", vector: toVector(0, 1) };
			expect(await searchTexts({ queries: [wheels], topK: 2 })).toEqual([TEXTS[1], TEXTS[2]]);
			const queries = [{ text: "refund" }, wheels];
			// Scores are added: a vector that is all alike says more than a word that most passages have.
			expect(await searchTexts({ queries })).toEqual([TEXTS[2], TEXTS[1], TEXTS[0]]);
			const foreign = { space: { ...space, model: "other" }, values: Float32Array.of(0, 1) };
			expect(await searchTexts({ queries: [{ text: "vehicle", vector: foreign }] })).toEqual([]);
		});

		it("tells which share of a question the best passage covers", async () => {
			const [first = "", second = ""] = await ingest(
				repositories,
				base,
				TEXTS.map((text) => toNewDocument(text)),
			);
			const cover = (question: string, ...ids: readonly string[]) =>
				repositories.index.computeCoverage({
					question,
					knowledgeBases: [base],
					passages: ids.map((document_id) => ({ document_id, ordinal: 0 })),
					lead: 0,
				});
			expect(await cover("refund days", second, first)).toBe(1);
			const share = await cover("refund zebra", first);
			expect(share).toBeGreaterThan(0);
			// The rarer word is in no passage.
			expect(share).toBeLessThan(0.5);
			expect(await cover("refund", second)).toBe(0);
			expect(await cover("refund", "doc_none")).toBe(0);
			expect(await cover("what is it?", first)).toBe(0);
		});
	});
}
