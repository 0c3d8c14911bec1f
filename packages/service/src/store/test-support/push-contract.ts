import { describe, expect, it } from "vitest";
import type { AuditEntry } from "../../audit/audit-record";
import { createKnowledgeBaseNames } from "../../knowledge/knowledge-base-names";
import { createKnowledgeBaseStore } from "../../knowledge/knowledge-bases";
import type { StoredSource } from "../../sources/repositories/source-repository";
import type { WorkspaceStore } from "../workspace-store";
import { toNewDocument } from "./knowledge-fixture";

type OpenedStore = Pick<WorkspaceStore, "knowledge" | "pushes" | "sources" | "syncs">;

const SOURCE = "src_00000000000000000000000002";
const FOLDER = "src_00000000000000000000000001";
const audit: AuditEntry = { actor: "cl_1", action: "source.created", target: SOURCE };
const MINUTE = 60_000;

/** Contract that each store of pushed items keeps. @param open - an empty one. */
export function describePushRepository(open: () => OpenedStore): void {
	async function openSource() {
		const store = open();
		const { knowledge, pushes, sources, syncs } = store;
		const names = createKnowledgeBaseNames(knowledge.knowledgeBases);
		const bases = createKnowledgeBaseStore({
			...{ repository: knowledge.knowledgeBases, names, now: () => 1, space: null },
		});
		const { id: base } = await bases.createKnowledgeBase({ name: "Handbook" });
		const source: StoredSource = {
			...{ id: SOURCE, knowledge_base_id: base, name: "Pushed", credential: null, every_minutes: null },
			...{ settings: { kind: "push" }, next_sync_at: null, created_at: 1, updated_at: 1 },
		};
		await sources.insert({ ...source, id: FOLDER, settings: { kind: "folder", path: "/docs" } }, 9, {
			audit,
		});
		expect(await pushes.findSource(base)).toBeUndefined();
		await sources.insert(source, 9, { audit });
		let count = 0;
		const toReport = (now: number) => ({ source: SOURCE, sync: `sync_${++count}`, now });
		const documents = async () => {
			const listed = await knowledge.documents.list(base, { limit: 99 });
			return typeof listed === "string" ? expect.unreachable(listed) : listed;
		};
		return {
			...{ base, knowledge, pushes, sources, documents },
			put: (key: string, text: string, now = MINUTE) =>
				pushes.store({
					...{ ...toReport(now), key, version: `of ${text}`, maxDocuments: 3, space: null },
					document: { ...toNewDocument(text), source: key },
				}),
			remove: (keys: readonly string[], now = MINUTE) => pushes.remove({ ...toReport(now), keys }),
			keys: async () => (await pushes.list(SOURCE)).map(({ key }) => key),
			reports: async () => (await syncs.list(SOURCE, { limit: 99 })).map(({ counts }) => counts),
		};
	}

	describe("a repository of pushed items", () => {
		it("stores items with their documents, and replaces their content under the same document", async () => {
			const { put, pushes, base, documents } = await openSource();
			expect(await pushes.findSource(base)).toBe(SOURCE);
			await put("docs/b.md", "Two.");
			await put("a.md", "One.");
			const [first] = await documents();
			expect(await pushes.list(SOURCE)).toEqual(
				["a.md", "docs/b.md"].map((key) => ({
					...{ key, version: key === "a.md" ? "of One." : "of Two.", status: "queued", error: null },
					...{ size_bytes: 4, created_at: MINUTE, updated_at: MINUTE },
				})),
			);
			await put("docs/b.md", "New.", 2 * MINUTE);
			expect(await pushes.find(SOURCE, "docs/b.md")).toMatchObject({ version: "of New.", size_bytes: 4 });
			expect(await pushes.find(SOURCE, "docs")).toBeUndefined();
			expect(await documents()).toMatchObject([
				{ id: first?.id, source_id: SOURCE, source_key: "docs/b.md" },
				{ source_key: "a.md" },
			]);
		});

		it("has one document for two items of one content, until both are gone", async () => {
			const { put, remove, keys, documents } = await openSource();
			await put("a.md", "One.");
			await put("b.md", "One.");
			expect([await keys(), (await documents()).length]).toEqual([["a.md", "b.md"], 1]);
			expect(await remove(["a.md", "none.md"])).toBe(true);
			expect(await documents()).toMatchObject([{ source: "b.md", source_key: "b.md" }]);
			await remove(["b.md"]);
			expect([await keys(), await documents()]).toEqual([[], []]);
		});

		it("counts changes that follow one another in one report", async () => {
			const { put, remove, reports } = await openSource();
			await put("a.md", "One.");
			await put("b.md", "Two.", 9 * MINUTE);
			await put("b.md", "New.", 18 * MINUTE);
			await put("b.md", "New.", 18 * MINUTE);
			await remove(["a.md"], 19 * MINUTE);
			expect(await reports()).toMatchObject([{ added: 2, changed: 0, removed: 1 }]);
			await put("b.md", "Newer.", 30 * MINUTE);
			expect(await reports()).toMatchObject([
				{ added: 0, changed: 1 },
				{ added: 2, removed: 1 },
			]);
		});

		it("leaves out an item whose document was deleted by hand, and brings it back", async () => {
			const { put, base, knowledge, keys, documents } = await openSource();
			await put("a.md", "One.");
			const [document] = await documents();
			await knowledge.documents.delete(base, document?.id ?? "");
			expect(await keys()).toEqual([]);
			await put("a.md", "One.");
			expect([await keys(), (await documents()).length]).toEqual([["a.md"], 1]);
		});

		it("never touches an upload of the same name or content", async () => {
			const { put, remove, base, knowledge, documents } = await openSource();
			const uploads = [toNewDocument("By hand.", { source: "a.md" }), toNewDocument("One.")];
			await knowledge.documents.add({
				...{ knowledgeBase: base, documents: uploads, maxDocuments: 9, space: null, now: 1 },
			});
			await put("a.md", "One.");
			expect(await documents()).toHaveLength(3);
			await remove(["a.md"]);
			expect((await documents()).map(({ id }) => id)).toEqual(uploads.map(({ id }) => id));
		});

		it("takes nothing beyond the limit of documents, and nothing into a source that is deleted", async () => {
			const { put, remove, sources, base, pushes, keys } = await openSource();
			for (const name of ["a", "b", "c"]) expect(await put(`${name}.md`, `${name}.`)).toBe("stored");
			expect(await put("d.md", "d.")).toBe("too_many");
			expect(await put("a.md", "New.")).toBe("stored");
			expect(await keys()).toEqual(["a.md", "b.md", "c.md"]);
			await sources.delete(SOURCE, false, 7, { ...audit, action: "source.deleted" });
			expect([await put("a.md", "Newer."), await remove(["a.md"])]).toEqual(["ended", false]);
			expect([await pushes.findSource(base), await keys()]).toEqual([undefined, []]);
		});
	});
}
