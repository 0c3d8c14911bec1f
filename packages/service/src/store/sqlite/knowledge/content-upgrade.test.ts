import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openFileDatabase } from "../../../http/test-support/memory-database";
import { startKnowledge } from "../../../knowledge/test-support/memory-knowledge";
import { createKnowledgeRepositories } from "../../repositories/knowledge/knowledge-repositories";
import { openForWriting } from "../../sqlite-file";
import { type WorkspaceTables, workspaceMigrations } from "../../workspace-tables";
import { contentTablesSql } from "./content-tables";

let folder: string;
let path: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "stemma-upgrade-"));
	path = join(folder, "workspace.sqlite");
});
afterEach(() => rmSync(folder, { recursive: true }));

const KNOWLEDGE_BASE = "kb_00000000000000000000000001";
const toId = (number: number): string => `doc_0000000000000000000000000${number}`;
const READ = "The harbour opens at nine.";
const QUEUED = `The ferry leaves at ten. ${"Tickets cost five euros. ".repeat(20_000)}`;

/** Writes a file as it was before contents were stored: one document was read, two wait, one of them for the second time. */
function writeOldFile(): void {
	const migrations = workspaceMigrations.slice(0, workspaceMigrations.indexOf(contentTablesSql));
	const { database } = openForWriting(path, migrations);
	database.exec(
		`INSERT INTO knowledge_bases (id, name, passage_count, created_at, updated_at) VALUES ('${KNOWLEDGE_BASE}', 'Old', 2, 1, 1)`,
	);
	const insertDocument = database.prepare(
		"INSERT INTO documents (id, knowledge_base, title, source, format, status, size_bytes, content_sha256, first_passage," +
			" passage_count, metadata, created_at, updated_at) VALUES (?, 1, 'T', ?, 'text', ?, ?, ?, ?, ?, '{}', 1, 1)",
	);
	insertDocument.run(toId(1), "read", "ready", READ.length, "sha-read", 1, 1);
	insertDocument.run(toId(2), "new", "queued", QUEUED.length, "sha-new", 0, 0);
	insertDocument.run(toId(3), "again", "processing", 3, "sha-again", 2, 1);
	const insertUpload = database.prepare(
		"INSERT INTO uploads (document, with_vectors, content) VALUES (?, 0, ?)",
	);
	insertUpload.run(2, Buffer.from("replaced at once"));
	database.exec("DELETE FROM uploads");
	insertUpload.run(3, Buffer.from("new"));
	insertUpload.run(2, Buffer.from(QUEUED));
	database.close();
}

it("reads what waited in an older file, which then has its file and text; what was read before has none", async () => {
	writeOldFile();
	const database = openFileDatabase<WorkspaceTables>(path, workspaceMigrations);
	const { contents } = createKnowledgeRepositories(database);
	const find = async (number: number) => {
		const found = await contents.find(KNOWLEDGE_BASE, toId(number));
		return typeof found === "string" ? expect.unreachable(found) : found;
	};
	const readAll = async (content = 0): Promise<string> => {
		const pieces: Uint8Array[] = [];
		for (let position = 0; ; ) {
			const bytes = await contents.read(content, position);
			if (bytes === undefined) return Buffer.concat(pieces).toString();
			expect(bytes.byteLength).toBeLessThanOrEqual(256 * 1024);
			pieces.push(bytes);
			position += bytes.byteLength;
		}
	};
	expect(await find(2)).toMatchObject({ original: { size: QUEUED.length, sha256: "sha-new" }, text: null });
	const knowledge = await startKnowledge(database);
	await knowledge.waitUntilIdle();
	expect(await find(1)).toMatchObject({ status: "ready", original: null, text: null });
	for (const [number, text] of [
		[2, QUEUED],
		[3, "new"],
	] as const) {
		const { status, original, text: stored } = await find(number);
		expect([status, await readAll(original?.number), await readAll(stored?.number)]).toEqual([
			"ready",
			text,
			text,
		]);
	}
	await knowledge.addDocuments(KNOWLEDGE_BASE, [{ content: READ, source: "read", format: "text" }]);
	await knowledge.waitUntilIdle();
	expect(await readAll((await find(1)).text?.number)).toBe(READ);
	await knowledge.stop();
	await database.close();
});
