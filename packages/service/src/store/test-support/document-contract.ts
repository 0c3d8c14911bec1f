import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { KnowledgeRepositories } from "../../knowledge/repositories/knowledge-repositories";
import { addTo, claimFrom, ingest, type OpenedKnowledge, toNewDocument, toParts } from "./knowledge-fixture";

/** Contract that each store of documents keeps. @param open - an empty one. */
export function describeDocumentRepository(open: () => OpenedKnowledge): void {
	describe("a repository of documents", () => {
		let opened: OpenedKnowledge;
		let repositories: KnowledgeRepositories;
		let base: string;
		beforeEach(async () => {
			opened = open();
			({ repositories } = opened);
			base = await opened.addKnowledgeBase();
		});
		afterEach(() => opened.close());

		const listSources = async (options: object) => {
			const listed = await repositories.documents.list(base, { limit: 10, ...options });
			return Array.isArray(listed) ? listed.map(({ source }) => source) : listed;
		};

		it("gives back what was added, in its order, and lists it by pages and filters", async () => {
			const [b, a] = [toNewDocument("B", { source: "b" }), toNewDocument("A", { source: "a" })];
			const added = await addTo(repositories, base, [b, a]);
			expect(added).toMatchObject({
				documents: [
					{ id: b.id, status: "queued", size_bytes: 1, passage_count: 0, metadata: {}, created_at: 1 },
					{ id: a.id, source: "a", error: null, content_sha256: a.sha256 },
				],
			});
			const ids = [b.id, a.id].sort();
			expect(await listSources({ limit: 1 })).toHaveLength(1);
			expect(await repositories.documents.list(base, { limit: 5, after: ids[0] })).toMatchObject([
				{ id: ids[1] },
			]);
			expect([await listSources({ source: "a" }), await listSources({ status: "ready" })]).toEqual([
				["a"],
				[],
			]);
		});

		it("replaces what it knows by its source or content, and stores nothing where one is too many", async () => {
			const first = toNewDocument("1", { source: "a", metadata: '{"v":1}' });
			await addTo(repositories, base, [first, toNewDocument("same")]);
			const again = await addTo(repositories, base, [
				toNewDocument("2", { source: "a" }),
				toNewDocument("same"),
			]);
			expect(again).toMatchObject({ documents: [{ id: first.id, metadata: { v: 1 } }, {}] });
			expect(await repositories.uploads.count()).toBe(2);
			const three = [toNewDocument("3"), toNewDocument("4")];
			expect(await addTo(repositories, base, three, { maxDocuments: 3 })).toBe("too_many");
			expect(await listSources({})).toHaveLength(2);
		});

		it("names what does not exist, and finds nothing of what was deleted", async () => {
			const { documents } = repositories;
			const [id = ""] = await ingest(repositories, base, [toNewDocument("Gone.")]);
			expect(await documents.find(base, id)).toMatchObject({ id, status: "ready", passage_count: 1 });
			expect(await documents.delete(base, id)).toBe("deleted");
			expect([
				await documents.delete(base, id),
				await documents.find(base, id),
				await documents.findText(id, 10),
			]).toEqual(["no_document", "no_document", undefined]);
			expect([
				await addTo(repositories, "kb_none", [toNewDocument("x")]),
				await documents.list("kb_none", { limit: 1 }),
				await documents.find("kb_none", id),
				await documents.delete("kb_none", id),
			]).toEqual(Array(4).fill("no_knowledge_base"));
		});

		it("gives the text that a document shows: all, some or one passage", async () => {
			const document = toNewDocument("one two", { source: "a", metadata: '{"v":1}' });
			await addTo(repositories, base, [document]);
			expect(await repositories.documents.findText(document.id, 10)).toMatchObject({
				status: "queued",
				passages: [],
			});
			const [upload] = await claimFrom(repositories);
			const parts = await toParts(repositories, upload?.number ?? 0, ["one", "two"]);
			await repositories.passages.store({ parts, now: 3 });
			const { findText } = repositories.documents;
			expect(await findText(document.id, 10)).toMatchObject({
				...{ knowledge_base_id: base, title: "Read", source: "a", metadata: { v: 1 }, passage_count: 2 },
				passages: [{ text: "one", place: { start: 0, end: 3 } }, { text: "two" }],
			});
			expect((await findText(document.id, 1))?.passages).toMatchObject([{ text: "one" }]);
			expect((await findText(document.id, 10, 1))?.passages).toMatchObject([{ text: "two" }]);
			expect((await findText(document.id, 10, 2))?.passages).toEqual([]);
		});
	});
}
