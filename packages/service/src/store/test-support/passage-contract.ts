import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { KnowledgeRepositories } from "../../knowledge/repositories/knowledge-repositories";
import {
	addTo,
	claimFrom,
	ingest,
	type OpenedKnowledge,
	space,
	toNewDocument,
	toParts,
} from "./knowledge-fixture";

/** Contract that each store of passages keeps. @param open - an empty one. */
export function describePassageRepository(open: () => OpenedKnowledge): void {
	describe("a repository of passages", () => {
		let opened: OpenedKnowledge;
		let repositories: KnowledgeRepositories;
		let base: string;
		beforeEach(async () => {
			opened = open();
			({ repositories } = opened);
			base = await opened.addKnowledgeBase();
		});
		afterEach(() => opened.close());

		const list = () => repositories.documents.list(base, { limit: 10 });
		const search = async (text: string) => {
			const input = { queries: [{ text }], knowledgeBases: [base], topK: 10 };
			const found = await repositories.index.search(input);
			return "passages" in found ? found.passages.map((passage) => passage.text) : [];
		};
		/** Number of the upload of a document that is new or replaced. */
		async function upload(text: string, hasVectors = false): Promise<number> {
			await addTo(repositories, base, [toNewDocument(text, { source: "a" })], {
				space: hasVectors ? space : null,
			});
			return (await claimFrom(repositories, { hasVectors }))[0]?.number ?? 0;
		}
		const sweepUntilDone = async () => {
			while (await repositories.passages.sweep());
		};

		it("reserves each number once", async () => {
			const { reserve } = repositories.passages;
			const [first, second, third] = [await reserve(3), await reserve(0), await reserve(1)];
			expect([second, third]).toEqual([first + 3, first + 3]);
		});

		it("shows a document when its last part is there, and then what it showed before no more", async () => {
			await ingest(repositories, base, [toNewDocument("An old refund.", { source: "a" })]);
			const number = await upload("new");
			const [one, two] = await toParts(repositories, number, ["A refund.", "Two refunds."]);
			const { store } = repositories.passages;
			expect(await store({ parts: one ? [one] : [], now: 7 })).toBe(false);
			await sweepUntilDone();
			expect(await search("refund")).toEqual(["An old refund."]);
			await store({ parts: two ? [two] : [], now: 8 });
			expect([...(await search("refund"))].sort()).toEqual(["A refund.", "Two refunds."]);
			expect(await list()).toMatchObject([
				{ status: "ready", title: "Read", passage_count: 2, updated_at: 8 },
			]);
			expect(await repositories.uploads.count()).toBe(0);
			expect(await repositories.passages.sweep()).toBe(true);
			await sweepUntilDone();
			expect(await search("old")).toEqual([]);
		});

		it("has the pages that were not read, until it is read again", async () => {
			const number = await upload("scanned");
			const [one] = await toParts(repositories, number, ["A refund."]);
			await repositories.passages.store({ parts: one ? [{ ...one, unreadPages: [2, 5] }] : [], now: 8 });
			const shown = await list();
			expect(shown).toMatchObject([{ status: "ready", unread_pages: [2, 5] }]);
			const id = typeof shown === "string" ? "" : (shown[0]?.id ?? "");
			const input = { knowledgeBase: base, id, space: null, now: 9 };
			expect(await repositories.documents.retry(input)).toBe("queued");
			const [claimed] = await claimFrom(repositories);
			const parts = await toParts(repositories, claimed?.number ?? 0, ["A refund."]);
			await repositories.passages.store({ parts, now: 10 });
			const [read] = await list();
			expect(read).not.toHaveProperty("unread_pages");
			expect(await repositories.documents.retry(input)).toBe("unchanged");
		});

		it("fails a document with its reason, which shows what it showed before", async () => {
			await ingest(repositories, base, [toNewDocument("A refund.", { source: "a" })]);
			const number = await upload("new");
			const error = { code: "no_text", message: "It has no text." };
			await repositories.passages.store({ parts: [{ kind: "failed", upload: number, error }], now: 9 });
			expect(await list()).toMatchObject([{ status: "failed", error, passage_count: 1, updated_at: 9 }]);
			expect(await search("refund")).toEqual(["A refund."]);
		});

		it("fails a document whose passages are none, and stores the others", async () => {
			await addTo(repositories, base, [
				toNewDocument("one", { source: "a" }),
				toNewDocument("two", { source: "b" }),
			]);
			const claimed = await claimFrom(repositories);
			const [broken, other] = await Promise.all(
				claimed.map(({ number }) => toParts(repositories, number, ["A refund."])),
			);
			const parts = [
				...(broken ?? []).map((part) => ({
					...part,
					passages: { ...part.passages, bytes: new Uint8Array(100) },
				})),
				...(other ?? []),
			];
			await repositories.passages.store({ parts, now: 9 });
			expect(await list()).toMatchObject([
				{ status: "failed", error: { code: "parse_crashed" } },
				{ status: "ready" },
			]);
			expect(await search("refund")).toEqual(["A refund."]);
		});

		it("drops what was deleted or replaced meanwhile", async () => {
			const number = await upload("one");
			const parts = await toParts(repositories, number, ["A refund."]);
			await upload("two");
			await repositories.passages.store({ parts, now: 9 });
			expect([await search("refund"), await repositories.uploads.count()]).toEqual([[], 1]);
		});

		it("lets the first passages decide whether a knowledge base has vectors, and of which space", async () => {
			const { passages, uploads } = repositories;
			await ingest(repositories, base, [toNewDocument("A car.", { source: "a" })], [[1, 0]]);
			await addTo(repositories, base, [toNewDocument("b", { source: "b" })], { space });
			const [waiting] = await claimFrom(repositories, { hasVectors: true });
			const number = waiting?.number ?? 0;
			// Read without vectors, before the knowledge base had some.
			expect(await passages.store({ parts: await toParts(repositories, number, ["b"]), now: 9 })).toBe(true);
			const [requeued] = await claimFrom(repositories, { hasVectors: true });
			expect(requeued?.number).toBeGreaterThan(number);
			const wrong = await toParts(repositories, requeued?.number ?? 0, ["b"], [[1, 0, 0]]);
			expect(await passages.store({ parts: wrong, now: 9 })).toBe(false);
			expect(await repositories.documents.list(base, { limit: 5, source: "b" })).toMatchObject([
				{ status: "failed", error: { code: "embedding_length_changed" } },
			]);
			expect(await uploads.count()).toBe(0);
			const other = { ...space, model: "other" };
			expect(await addTo(repositories, base, [toNewDocument("c")], { space: other })).toEqual({
				pinned: { ...space, length: 2 },
			});
		});
	});
}
