import type { EmbeddingSpace } from "@stemma/routing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { KnowledgeRepositories } from "../../knowledge/repositories/knowledge-repositories";
import type { ReindexRepository } from "../../knowledge/repositories/reindex-repository";
import { ingest, type OpenedKnowledge, space, toNewDocument } from "./knowledge-fixture";

const TEXTS = ["A refund takes 14 days.", "A car has wheels."];
const VECTORS = [
	[1, 0],
	[0, 1],
];
const target: EmbeddingSpace = { ...space, model: "large" };

/** Contract that each store of moves to another embedding space keeps. @param open - an empty one. */
export function describeReindexRepository(open: () => OpenedKnowledge): void {
	describe("a repository of reindexes", () => {
		let opened: OpenedKnowledge;
		let repositories: KnowledgeRepositories;
		let reindexes: ReindexRepository;
		let base: string;
		beforeEach(async () => {
			opened = open();
			({ repositories } = opened);
			({ reindexes } = repositories);
			base = await opened.addKnowledgeBase();
			await ingest(
				repositories,
				base,
				TEXTS.map((text) => toNewDocument(text)),
				VECTORS,
			);
		});
		afterEach(() => opened.close());

		const audit = { actor: "cl_1", action: "knowledge_base.reindex_started", target: "kb_1" } as const;
		const start = (to: EmbeddingSpace | null) =>
			reindexes.start({ knowledgeBase: base, target: to, payer: "workspace", actor: "cl_1", now: 5, audit });
		const next = () => reindexes.next({ knowledgeBase: base, after: "", limit: 10 });
		/** Stores a vector for each passage that has none of the target, the first one refused. */
		async function storeNext(length = 3) {
			const batch = await next();
			const vectors = (batch?.passages ?? []).map(({ number }, index) => ({
				passage: number,
				values: index === 0 ? null : Float32Array.from({ length }, (_, at) => (at === index ? 1 : 0)),
			}));
			return reindexes.store({ knowledgeBase: base, space: target, vectors });
		}
		const search = async (vectorSpace: EmbeddingSpace, ...values: number[]) => {
			const queries = [
				{ text: "vehicle", vector: { space: vectorSpace, values: Float32Array.from(values) } },
			];
			const found = await repositories.index.search({ queries, knowledgeBases: [base], topK: 1 });
			return "passages" in found ? found.passages.map(({ text }) => text) : found;
		};

		it("measures what a move would give vectors to", async () => {
			const size = await reindexes.measure({ knowledgeBase: base, keepsSpare: false });
			const characters = TEXTS.join("").length + 2 * "Read".length;
			expect(size).toEqual({ passages: 2, characters, bytes: characters });
			expect(await reindexes.measure({ knowledgeBase: "kb_none", keepsSpare: false })).toEqual({
				...{ passages: 0, characters: 0, bytes: 0 },
			});
		});

		it("makes the target answer once all passages have its vectors, and keeps the former ones", async () => {
			await start(target);
			expect(await reindexes.listActive()).toEqual([{ knowledgeBase: base, status: "running" }]);
			expect(await reindexes.complete({ knowledgeBase: base, now: 6 })).toBe(false);
			expect((await next())?.passages.map(({ text }) => text)).toHaveLength(2);
			expect(await storeNext()).toBe("stored");
			expect((await next())?.passages).toEqual([]);
			expect(await search(space, 0, 1)).toEqual([TEXTS[1]]);
			const moving = await reindexes.find(base);
			expect(moving).toMatchObject({ passageCount: 2, reindex: { done: 2, skipped: 1, status: "running" } });
			expect(await reindexes.complete({ knowledgeBase: base, now: 7 })).toBe(true);
			expect(await reindexes.find(base)).toMatchObject({
				pin: { ...target, length: 3 },
				reindex: { status: "completed", spare: { ...space, length: 2 }, completedAt: 7 },
			});
			expect(await search(target, 0, 1, 0)).toEqual([TEXTS[1]]);
			expect(await search(space, 0, 1)).toEqual([]);
		});

		it("goes back to the former vectors without making any", async () => {
			await start(target);
			await storeNext();
			await reindexes.complete({ knowledgeBase: base, now: 6 });
			await start(space);
			expect((await next())?.passages).toEqual([]);
			expect(await reindexes.complete({ knowledgeBase: base, now: 7 })).toBe(true);
			expect(await search(space, 0, 1)).toEqual([TEXTS[1]]);
		});

		it("refuses vectors of another length, and those of a move that has ended", async () => {
			await start(target);
			const [passage = 0] = (await next())?.passages.map(({ number }) => number) ?? [];
			const store = (length: number) =>
				reindexes.store({
					...{ knowledgeBase: base, space: target },
					vectors: [{ passage, values: Float32Array.from({ length }, () => 1) }],
				});
			expect([await store(3), await store(4)]).toEqual(["stored", "length_changed"]);
			expect(await reindexes.drop(base, audit)).toBe(true);
			expect(await store(3)).toBe("stopped");
			while (await reindexes.clear(base));
			expect((await reindexes.find(base))?.reindex).toBeUndefined();
			expect(await search(space, 0, 1)).toEqual([TEXTS[1]]);
		});

		it("lets a knowledge base do without vectors, and drops the former ones when their time has come", async () => {
			await start(null);
			expect(await next()).toEqual({ passages: [], last: "" });
			expect(await reindexes.complete({ knowledgeBase: base, now: 6 })).toBe(true);
			expect((await reindexes.find(base))?.pin).toBeNull();
			expect(await search(space, 0, 1)).toEqual([]);
			await reindexes.dropBefore(7);
			expect(await reindexes.listActive()).toEqual([{ knowledgeBase: base, status: "dropping" }]);
			while (await reindexes.clear(base));
			expect((await reindexes.find(base))?.reindex).toBeUndefined();
		});
	});
}
