import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AuditEntry } from "../../audit/audit-record";
import type {
	KnowledgeBaseRepository,
	StoredKnowledgeBase,
} from "../../knowledge/repositories/knowledge-base-repository";
import { ConstraintError } from "../storage-error";
import { ingest, type OpenedKnowledge, space, toNewDocument } from "./knowledge-fixture";

const toBase = (id: string): StoredKnowledgeBase => ({
	...{
		id,
		slug: id.replace("_", "-"),
		name: `Name of ${id}`,
		description: null,
		llm_provider: null,
		llm_model: "gpt-test",
	},
	documents: { total: 0, queued: 0, processing: 0, ready: 0, failed: 0 },
	...{ passage_count: 0, embedding: undefined, created_at: 1, updated_at: 1 },
});
const audit: AuditEntry = { actor: "cl_1", action: "knowledge_base.models_changed", target: "kb_1" };

/** Contract that each store of knowledge bases keeps. @param open - an empty one. */
export function describeKnowledgeBaseRepository(open: () => OpenedKnowledge): void {
	describe("a repository of knowledge bases", () => {
		let opened: OpenedKnowledge;
		let repository: KnowledgeBaseRepository;
		beforeEach(() => {
			opened = open();
			repository = opened.repositories.knowledgeBases;
		});
		afterEach(() => opened.close());

		it("gives back what was added, by pages and by ids", async () => {
			for (const id of ["kb_3", "kb_1", "kb_2"]) await repository.insert(toBase(id), {});
			expect(await repository.find("kb_1")).toEqual(toBase("kb_1"));
			const toIds = (bases: readonly { readonly id: string }[]) => bases.map(({ id }) => id);
			expect(toIds(await repository.list({ limit: 2 }))).toEqual(["kb_1", "kb_2"]);
			expect(toIds(await repository.list({ limit: 2, after: "kb_2" }))).toEqual(["kb_3"]);
			expect(toIds(await repository.listSummaries({}))).toEqual(["kb_1", "kb_2", "kb_3"]);
			const ids = ["kb_none", "kb_3", "kb_1"];
			expect(toIds(await repository.listSummaries({ ids }))).toEqual(["kb_1", "kb_3"]);
			expect(toIds(await repository.listSummaries({ ids, after: "kb_1", limit: 1 }))).toEqual(["kb_3"]);
			expect(toIds(await repository.listSummaries({ ids: [] }))).toEqual([]);
		});

		it("counts what it holds, and tells the space of its vectors", async () => {
			for (const id of ["kb_1", "kb_2"]) await repository.insert(toBase(id), {});
			await ingest(opened.repositories, "kb_1", [toNewDocument("One."), toNewDocument("Two.")], [[1], [1]]);
			const documents = { total: 2, queued: 0, processing: 0, ready: 2, failed: 0 };
			const embedding = { ...space, length: 1 };
			expect(await repository.list({ limit: 2 })).toMatchObject([
				{ id: "kb_1", documents, passage_count: 2, embedding },
				{ id: "kb_2", documents: { total: 0 }, passage_count: 0, embedding: undefined },
			]);
			expect(await repository.listSummaries({ ids: ["kb_1"] })).toMatchObject([{ embedding }]);
		});

		it("changes and deletes what there is, and records each change once", async () => {
			await repository.insert(toBase("kb_1"), { audit });
			expect(await repository.update("kb_1", { name: "New", updated_at: 5 }, { audit })).toBe(true);
			expect(await repository.find("kb_1")).toEqual({ ...toBase("kb_1"), name: "New", updated_at: 5 });
			expect([await repository.delete("kb_1", 6), await repository.delete("kb_1", 7)]).toEqual([true, false]);
			expect(await repository.update("kb_1", { name: "Newer", updated_at: 8 }, { audit })).toBe(false);
			expect([
				await repository.find("kb_1"),
				await repository.list({ limit: 1 }),
				await repository.listSummaries({}),
				await opened.countAudits(),
			]).toEqual([undefined, [], [], 2]);
		});

		it("lists ids by slugs, and slugs by their beginnings, of what is not deleted", async () => {
			for (const id of ["kb_1", "kb_12", "kb_2"]) await repository.insert(toBase(id), {});
			await repository.delete("kb_2", 6);
			expect(await repository.listIds(["kb-1", "kb-2", "kb-3"])).toEqual([{ id: "kb_1", slug: "kb-1" }]);
			expect([...(await repository.listSlugs("kb-1"))].sort()).toEqual(["kb-1", "kb-12"]);
			expect([...(await repository.listSlugs(""))].sort()).toEqual(["kb-1", "kb-12"]);
		});

		it("lets a slug be used again by another one once its own is deleted, and not before", async () => {
			await repository.insert(toBase("kb_1"), {});
			const other = { ...toBase("kb_2"), slug: "kb-1" };
			await expect(repository.insert(other, { audit })).rejects.toThrow(ConstraintError);
			await repository.insert(toBase("kb_3"), {});
			const update = repository.update("kb_3", { slug: "kb-1", updated_at: 5 }, { audit });
			await expect(update).rejects.toThrow(ConstraintError);
			expect(await opened.countAudits()).toBe(0);
			await repository.delete("kb_1", 6);
			await repository.insert(other, {});
			expect(await repository.listIds(["kb-1"])).toEqual([{ id: "kb_2", slug: "kb-1" }]);
		});

		it("adds nothing, and records nothing, where it has the id already", async () => {
			await repository.insert(toBase("kb_1"), {});
			await expect(repository.insert(toBase("kb_1"), { audit })).rejects.toThrow();
			expect(await opened.countAudits()).toBe(0);
		});
	});
}
