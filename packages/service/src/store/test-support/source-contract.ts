import { describe, expect, it } from "vitest";
import type { AuditEntry } from "../../audit/audit-record";
import { createKnowledgeBaseNames } from "../../knowledge/knowledge-base-names";
import { createKnowledgeBaseStore } from "../../knowledge/knowledge-bases";
import type { StoredSource } from "../../sources/repositories/source-repository";
import type { ScannedItem } from "../../sources/repositories/sync-repository";
import type { WorkspaceStore } from "../workspace-store";
import { toNewDocument } from "./knowledge-fixture";

type OpenedStore = Pick<WorkspaceStore, "audit" | "knowledge" | "sources" | "syncs">;

const SOURCE = "src_00000000000000000000000001";
const audit: AuditEntry = { actor: "cl_1", action: "source.created", target: SOURCE };

const toContent = (key: string, text: string): ScannedItem => ({
	...{ kind: "content", key, version: `of ${text}` },
	document: { ...toNewDocument(text), source: key },
});
const toUnchanged = (key: string): ScannedItem => ({ kind: "unchanged", key });

/** Contract that each store of sources and their syncs keeps. @param open - an empty one. */
export function describeSourceRepositories(open: () => OpenedStore): void {
	async function openSource() {
		const store = open();
		const repository = store.knowledge.knowledgeBases;
		const names = createKnowledgeBaseNames(repository);
		const bases = createKnowledgeBaseStore({ repository, names, now: () => 1, space: null });
		const { id: base } = await bases.createKnowledgeBase({ name: "Handbook" });
		const source: StoredSource = {
			...{ id: SOURCE, knowledge_base_id: base, name: "Docs", credential: null, every_minutes: null },
			...{ settings: { kind: "folder", path: "/docs" }, next_sync_at: 5, created_at: 1, updated_at: 1 },
		};
		await store.sources.insert(source, 2, { audit });
		let count = 0;
		/** Runs a sync of these items to its end, or to what it is refused with. */
		async function sync(items: readonly ScannedItem[], isForced = false) {
			count += 1;
			const id = `sync_${count}`;
			await store.syncs.create({ id, source: SOURCE, isForced, now: 2 });
			await store.syncs.claim(id, 3);
			const stored = await store.syncs.storeItems({ sync: id, items, maxDocuments: 9, space: null, now: 4 });
			const removed = stored === "stored" ? await store.syncs.removeMissing(id, 5) : stored;
			const status = removed === "done" ? "succeeded" : "failed";
			await store.syncs.end({ sync: id, status, error: null, nextSyncAt: null, now: 6 });
			const [report] = await store.syncs.list(SOURCE, { limit: 1 });
			return { removed, counts: report?.counts };
		}
		const listDocuments = async () => {
			const listed = await store.knowledge.documents.list(base, { limit: 99 });
			return typeof listed === "string" ? expect.unreachable(listed) : listed;
		};
		return { ...store, base, source, sync, listDocuments };
	}

	describe("repositories of sources and syncs", () => {
		it("store findings with their documents, and count each once", async () => {
			const { sync, syncs, listDocuments } = await openSource();
			const first = await sync([toContent("a", "One."), toContent("b", "Two.")]);
			expect(first).toMatchObject({ removed: "done", counts: { added: 2, removed: 0 } });
			expect(await syncs.findItem(SOURCE, "a")).toEqual({ key: "a", version: "of One." });
			const twice = [toUnchanged("a"), toUnchanged("a"), toContent("b", "New.")];
			expect(await sync(twice)).toMatchObject({ counts: { added: 0, changed: 1, unchanged: 1 } });
			expect(await listDocuments()).toMatchObject([
				{ source_id: SOURCE, source_key: "a" },
				{ source_id: SOURCE, source_key: "b" },
			]);
		});

		it("keep a document whose item has moved, and remove one that is gone", async () => {
			const { sync, listDocuments } = await openSource();
			await sync([toContent("a", "One."), toContent("b", "Two.")]);
			const [before] = await listDocuments();
			expect(await sync([toContent("c", "One.")])).toMatchObject({
				counts: { moved: 1, removed: 1, added: 0 },
			});
			expect(await listDocuments()).toMatchObject([{ id: before?.id, source_key: "c", source: "c" }]);
		});

		it("remove nothing where a source is suddenly empty, unless that is forced", async () => {
			const { sync, listDocuments } = await openSource();
			await sync([toContent("a", "One."), toContent("b", "Two.")]);
			expect(await sync([])).toMatchObject({ removed: "source_empty" });
			expect(await listDocuments()).toHaveLength(2);
			expect(await sync([], true)).toMatchObject({ removed: "done", counts: { removed: 2 } });
			expect(await listDocuments()).toEqual([]);
		});

		it("continue an interrupted sync without counting its findings again", async () => {
			const { syncs } = await openSource();
			const input = { sync: "sync_a", maxDocuments: 9, space: null, now: 4 };
			await syncs.create({ id: "sync_a", source: SOURCE, isForced: false, now: 2 });
			await syncs.claim("sync_a", 3);
			const failed = { kind: "issue", key: "x", outcome: "failed", code: "c", message: "M." } as const;
			await syncs.storeItems({ ...input, items: [toContent("a", "One."), failed] });
			expect(await syncs.listActive()).toEqual(["sync_a"]);
			expect(await syncs.claim("sync_a", 9)).toMatchObject({ source: SOURCE });
			await syncs.storeItems({ ...input, items: [toUnchanged("a"), failed] });
			const [report] = await syncs.list(SOURCE, { limit: 1 });
			expect(report).toMatchObject({ started_at: 3, counts: { added: 1, unchanged: 0, failed: 1 } });
			expect(report?.issues).toHaveLength(1);
		});

		it("keep the state of a complete scan until something else is stored", async () => {
			const { sync, syncs, knowledge, base, listDocuments } = await openSource();
			await sync([toContent("a", "One."), toContent("b", "Two.")]);
			const start = async (id: string) => {
				await syncs.create({ id, source: SOURCE, isForced: false, now: 7 });
				return (await syncs.claim(id, 7))?.scanState;
			};
			const end = { status: "succeeded", error: null, nextSyncAt: null, now: 8 } as const;
			expect(await start("sync_a")).toBeNull();
			await syncs.end({ ...end, sync: "sync_a", scanState: "etag" });
			expect(await start("sync_b")).toBe("etag");
			expect(await syncs.markUnchanged("sync_b")).toBe("done");
			expect(await syncs.markUnchanged("sync_b")).toBe("done");
			expect(await syncs.removeMissing("sync_b", 8)).toBe("done");
			const [report] = await syncs.list(SOURCE, { limit: 1 });
			expect(report?.counts).toMatchObject({ unchanged: 2, removed: 0 });
			await syncs.end({ ...end, sync: "sync_b", scanState: "etag" });
			const [document] = await listDocuments();
			await knowledge.documents.delete(base, document?.id ?? "");
			expect(await start("sync_c")).toBeNull();
			await syncs.end({ ...end, sync: "sync_c", status: "cancelled" });
			await sync([toContent("a", "One."), toUnchanged("b")]);
			expect(await start("sync_d")).toBeNull();
			await syncs.end({ ...end, sync: "sync_d" });
			expect(await syncs.markUnchanged("sync_d")).toBe("ended");
		});

		it("have one sync of a source at a time, which takes nothing once it has ended", async () => {
			const { syncs } = await openSource();
			const create = (id: string) => syncs.create({ id, source: SOURCE, isForced: false, now: 2 });
			expect([(await create("sync_a"))?.id, (await create("sync_b"))?.id]).toEqual(["sync_a", "sync_a"]);
			await syncs.claim("sync_a", 3);
			const end = { sync: "sync_a", status: "cancelled", error: null, nextSyncAt: null, now: 4 } as const;
			expect([await syncs.end(end), await syncs.end(end)]).toEqual([true, false]);
			const items = [toContent("a", "One.")];
			const late = { sync: "sync_a", items, maxDocuments: 9, space: null, now: 5 };
			expect(await syncs.storeItems(late)).toBe("ended");
			expect(await syncs.claim("sync_a", 6)).toBeUndefined();
		});

		it("never touch an upload of the same name or content", async () => {
			const { sync, knowledge, base, listDocuments } = await openSource();
			const uploads = [toNewDocument("By hand.", { source: "a" }), toNewDocument("Two.")];
			const added = { knowledgeBase: base, documents: uploads, maxDocuments: 9, space: null, now: 1 };
			await knowledge.documents.add(added);
			await sync([toContent("a", "One."), toContent("b", "Two.")]);
			expect(await listDocuments()).toHaveLength(4);
			await sync([], true);
			expect((await listDocuments()).map(({ id }) => id)).toEqual(uploads.map(({ id }) => id));
		});

		it("leave out only the documents that would be too many", async () => {
			const { sync, listDocuments } = await openSource();
			const many = Array.from({ length: 10 }, (_, number) => toContent(`${number}`, `Text ${number}.`));
			expect(await sync(many)).toMatchObject({ removed: "too_many", counts: { added: 9 } });
			expect(await listDocuments()).toHaveLength(9);
			const changed = [...many.slice(1, 9), toContent("0", "New."), toUnchanged("1")];
			expect(await sync(changed)).toMatchObject({ removed: "done", counts: { changed: 1, unchanged: 8 } });
			const duplicates = [toContent("0", "Text 1."), toContent("1", "Text 1.")];
			await sync([...duplicates, ...many.slice(2, 10)]);
			const apart = [...duplicates.slice(1), ...many.slice(2, 10), toContent("0", "Apart.")];
			expect(await sync(apart)).toMatchObject({ removed: "too_many", counts: { changed: 0 } });
			expect(await listDocuments()).toHaveLength(9);
		});

		it.each([false, true])("sweep away a deleted source, whose documents stay: %s", async (keeps) => {
			const { sync, sources, base, listDocuments } = await openSource();
			await sync([toContent("a", "One.")]);
			expect(await sources.delete(SOURCE, keeps, 7, { ...audit, action: "source.deleted" })).toBe(true);
			expect(await sources.find(base, SOURCE)).toBeUndefined();
			while (await sources.sweep());
			expect((await listDocuments()).map(({ source_id, source }) => [source_id, source])).toEqual(
				keeps ? [[undefined, "a"]] : [],
			);
		});

		it("tell which sources are due, until their sync is queued", async () => {
			const { sources, syncs } = await openSource();
			expect([await sources.listDue(4), await sources.listDue(5)]).toEqual([[], [SOURCE]]);
			await syncs.create({ id: "sync_a", source: SOURCE, isForced: false, now: 6 });
			expect(await sources.listDue(9)).toEqual([]);
			await syncs.end({ sync: "sync_a", status: "failed", error: null, nextSyncAt: 20, now: 7 });
			expect(await sources.listDue(20)).toEqual([SOURCE]);
		});

		it("hold as many sources as a knowledge base may have", async () => {
			const { sources, source } = await openSource();
			const add = (id: string) => sources.insert({ ...source, id }, 2, { audit });
			expect([await add("src_b"), await add("src_c")]).toEqual(["added", "too_many"]);
		});
	});
}
