import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openForSearching, openForWriting } from "../../../sqlite-file";
import { workspaceMigrations } from "../../../workspace-tables";
import { search } from "../search/search-job";
import { toVectorBytes, toVectorCode } from "../search/vector-code";
import { reindexTablesSql } from "./reindex-tables";

const space = { base_url: "https://vectors.example/v1", model: "small" };

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "stemma-reindex-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("finds the vectors of an older file where they are", () => {
	const path = join(folder, "workspace.sqlite");
	const before = workspaceMigrations.slice(0, workspaceMigrations.indexOf(reindexTablesSql));
	const older = openForWriting(path, before);
	const vector = Float32Array.of(1, 0);
	older.database.exec(
		"INSERT INTO knowledge_bases (number, id, slug, name, embedding, passage_count, created_at, updated_at)" +
			` VALUES (1, 'kb_1', 'one', 'One', '${JSON.stringify({ ...space, length: 2 })}', 1, 1, 1);` +
			"INSERT INTO documents (number, id, knowledge_base, title, source, format, status, size_bytes, content_sha256," +
			" metadata, first_passage, passage_count, created_at, updated_at)" +
			" VALUES (1, 'doc_1', 1, 'Note', 'note', 'text', 'ready', 1, '', '{}', 1, 1, 1, 1);" +
			"INSERT INTO passages (number, document, start_offset, end_offset, text) VALUES (1, 1, 0, 1, 'Found');",
	);
	older.database.prepare("INSERT INTO passage_vectors VALUES (1, ?)").run(toVectorBytes(vector));
	older.database.prepare("INSERT INTO passage_codes VALUES (1, 1, ?)").run(toVectorCode(vector));
	older.close();

	openForWriting(path, workspaceMigrations).close();
	const file = openForSearching(path);
	const queries = [{ text: "???", vector: { space, values: vector } }];
	const found = search(file, { queries, knowledgeBases: ["kb_1"], topK: 1 });
	expect(found).toMatchObject({ passages: [{ text: "Found" }] });
	expect(file.database.prepare("SELECT vector_slot FROM knowledge_bases").all()).toEqual([
		{ vector_slot: 0 },
	]);
	file.close();
});
