import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openFileDatabase } from "../../../http/test-support/memory-database";
import { createWorkspaceStore } from "../../repositories/workspace-store";
import { openForWriting } from "../../sqlite-file";
import { toNewDocument } from "../../test-support/knowledge-fixture";
import { type WorkspaceTables, workspaceMigrations } from "../../workspace-tables";
import { knowledgeBaseSlugsSql } from "../knowledge/knowledge-tables";
import { sourceTablesSql } from "./source-tables";

let folder: string;
let path: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "stemma-sources-"));
	path = join(folder, "workspace.sqlite");
});
afterEach(() => rmSync(folder, { recursive: true }));

const KNOWLEDGE_BASE = "kb_00000000000000000000000001";
const SOURCE = "src_00000000000000000000000001";
const OLD_DOCUMENTS = [
	{ id: "doc_00000000000000000000000001", source: "a.md", sha256: "sha-a" },
	{ id: "doc_00000000000000000000000002", source: null, sha256: toNewDocument("Same.").sha256 },
];

/** Writes a file with documents as it was before the tables of a step. */
function writeOldFile(step: string): void {
	const { database } = openForWriting(path, workspaceMigrations.slice(0, workspaceMigrations.indexOf(step)));
	const columns = step === knowledgeBaseSlugsSql ? "" : ", slug";
	const values = step === knowledgeBaseSlugsSql ? "" : ", 'old'";
	database.exec(
		`INSERT INTO knowledge_bases (id, name, created_at, updated_at${columns}) VALUES ('${KNOWLEDGE_BASE}', 'Old', 1, 1${values})`,
	);
	const insert = database.prepare(
		"INSERT INTO documents (id, knowledge_base, title, source, format, status, size_bytes, content_sha256, first_passage," +
			" passage_count, metadata, created_at, updated_at) VALUES (?, 1, 'T', ?, 'text', 'ready', 1, ?, 0, 0, '{}', 1, 1)",
	);
	for (const { id, source, sha256 } of OLD_DOCUMENTS) insert.run(id, source, sha256);
	database.close();
}

it.each([
	["slugs", knowledgeBaseSlugsSql],
	["sources", sourceTablesSql],
])("opens a file from before %s, whose documents a source leaves alone", async (_, step) => {
	writeOldFile(step);
	const database = openFileDatabase<WorkspaceTables>(path, workspaceMigrations);
	const { sources, syncs, knowledge } = createWorkspaceStore(database);
	expect(await knowledge.knowledgeBases.find(KNOWLEDGE_BASE)).toMatchObject({ slug: "old" });
	await sources.insert(
		{
			...{
				id: SOURCE,
				knowledge_base_id: KNOWLEDGE_BASE,
				name: "Docs",
				credential: null,
				every_minutes: null,
			},
			...{ settings: { kind: "folder", path: "/docs" }, next_sync_at: null, created_at: 1, updated_at: 1 },
		},
		1,
		{ audit: { actor: "cl_1", action: "source.created", target: SOURCE } },
	);
	const sync = { id: "sync_1", source: SOURCE, isForced: true, now: 2 };
	await syncs.create(sync);
	await syncs.claim(sync.id, 2);
	const items = ["a.md", "b.md"].map((key) => ({
		...{ kind: "content" as const, key, version: null },
		document: { ...toNewDocument(key === "a.md" ? "New." : "Same."), source: key },
	}));
	expect(await syncs.storeItems({ sync: sync.id, items, maxDocuments: 9, space: null, now: 3 })).toBe(
		"stored",
	);
	expect(await syncs.removeMissing(sync.id, 4)).toBe("done");
	const listed = await knowledge.documents.list(KNOWLEDGE_BASE, { limit: 9 });
	if (typeof listed === "string") expect.unreachable(listed);
	expect(listed.map(({ id, source, source_id }) => [source_id === undefined && id, source])).toEqual([
		...OLD_DOCUMENTS.map(({ id, source }) => [id, source]),
		...[
			[false, "a.md"],
			[false, "b.md"],
		],
	]);
	await database.close();
});
