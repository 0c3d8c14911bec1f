import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { READER_VERSIONS } from "@stemma/documents";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openFileDatabase } from "../../../http/test-support/memory-database";
import { decodePassages, encodePassages } from "../../../knowledge/ingest/encoded-passages";
import type { DocumentReader } from "../../../knowledge/ingest/reading/document-reader";
import type { Knowledge } from "../../../knowledge/knowledge";
import { inProcessReader, startKnowledge } from "../../../knowledge/test-support/memory-knowledge";
import { openForWriting } from "../../sqlite-file";
import { type WorkspaceTables, workspaceMigrations } from "../../workspace-tables";
import { readerVersionsSql } from "./knowledge-tables";
import { countOutdatedDocuments } from "./outdated-documents";

const DOCUMENT_COUNT = 10;

let folder: string;
let path: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "stemma-outdated-"));
	path = join(folder, "workspace.sqlite");
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = () => openFileDatabase<WorkspaceTables>(path, workspaceMigrations);

/** Changes the file behind the service's back. */
function change(sql: string): void {
	const database = new DatabaseSync(path);
	database.exec(sql);
	database.close();
}

function count() {
	const file = openForWriting(path, workspaceMigrations);
	try {
		return countOutdatedDocuments(file);
	} finally {
		file.close();
	}
}

/** Reads as an earlier version might have: each document in capitals. */
const oldReader: DocumentReader = {
	...inProcessReader,
	async read(upload, options) {
		const content = await inProcessReader.read(upload, options);
		return {
			...content,
			passages: [
				...encodePassages(
					content.passages.flatMap(decodePassages).map((one) => ({ ...one, text: one.text.toUpperCase() })),
				),
			],
		};
	},
};

const toInput = (number: number) => ({
	content: `Ferry ${number} leaves at nine.`,
	format: "text" as const,
	source: `${number}.txt`,
});

/** Writes a folder of an earlier version of the reader. @returns the id of its knowledge base. */
async function writeOutdated(): Promise<string> {
	const database = open();
	const knowledge = await startKnowledge(database, oldReader);
	const { id } = await knowledge.createKnowledgeBase({ name: "Old" });
	await knowledge.addDocuments(
		id,
		Array.from({ length: DOCUMENT_COUNT }, (_, number) => toInput(number)),
	);
	await knowledge.waitUntilIdle();
	await knowledge.stop();
	await database.close();
	change("UPDATE documents SET reader_version = 0");
	return id;
}

const find = (knowledge: Knowledge, base: string) =>
	knowledge.search({ query: "ferry", knowledge_base_ids: [base], top_k: 50 });

it("outdated documents are read again under their ids, and are found and ready meanwhile, also after a kill", async () => {
	const base = await writeOutdated();
	expect(count()).toEqual({ waiting: DOCUMENT_COUNT, left: 0 });

	// The process ends while it reads: what it has claimed stays claimed.
	const killed = open();
	let reading = 0;
	const blocked = await startKnowledge(killed, {
		read: () => {
			reading += 1;
			return new Promise(() => undefined);
		},
		stop: async () => undefined,
	});
	await expect.poll(() => reading).toBeGreaterThan(0);
	const before = await find(blocked, base);
	expect(before.map(({ text }) => text).sort()).toEqual(
		Array.from({ length: DOCUMENT_COUNT }, (_, number) => `FERRY ${number} LEAVES AT NINE.`),
	);
	const documents = await blocked.listDocuments(base, { limit: 50 });
	expect(documents.map(({ status }) => status)).toEqual(documents.map(() => "ready"));
	expect(await blocked.countQueued()).toBe(0);
	await killed.close();

	const database = open();
	const knowledge = await startKnowledge(database);
	// What is uploaded comes before the others, and replaces what waits.
	await knowledge.addDocuments(base, [{ ...toInput(9), content: "Ferry 9 leaves at ten." }]);
	await knowledge.waitUntilIdle();
	const after = await find(knowledge, base);
	expect(after.map(({ text }) => text).sort()).toEqual(
		Array.from(
			{ length: DOCUMENT_COUNT },
			(_, number) => `Ferry ${number} leaves at ${number === 9 ? "ten" : "nine"}.`,
		),
	);
	expect(after.map(({ passage_id }) => passage_id).sort()).toEqual(
		before.map(({ passage_id }) => passage_id).sort(),
	);
	expect((await knowledge.getKnowledgeBase(base)).passage_count).toBe(DOCUMENT_COUNT);
	await knowledge.stop();
	await database.close();
	expect(count()).toEqual({ waiting: 0, left: 0 });
});

it("a document that cannot be read any more stays as it is, and is tried once", async () => {
	const base = await writeOutdated();
	const database = open();
	let reads = 0;
	const failing: DocumentReader = {
		...inProcessReader,
		async read(upload) {
			reads += 1;
			return inProcessReader.read({ ...upload, bytes: new Uint8Array() });
		},
	};
	const knowledge = await startKnowledge(database, failing);
	await knowledge.waitUntilIdle();
	expect(reads).toBe(DOCUMENT_COUNT);
	expect(await find(knowledge, base)).toHaveLength(DOCUMENT_COUNT);
	for (const document of await knowledge.listDocuments(base, { limit: 50 }))
		expect(document).toMatchObject({ status: "ready", error: null });
	await knowledge.stop();
	await database.close();
	expect(count()).toEqual({ waiting: 0, left: 0 });
});

it("documents without their file, and those with vectors, are left and counted; a switch leaves all", async () => {
	const base = await writeOutdated();
	const readAll = async (rereadsOutdated: boolean) => {
		const database = open();
		const knowledge = await startKnowledge(database, inProcessReader, { rereadsOutdated });
		await knowledge.waitUntilIdle();
		const found = await find(knowledge, base);
		await knowledge.stop();
		await database.close();
		return found.filter(({ text }) => text.startsWith("Ferry")).length;
	};
	expect(await readAll(false)).toBe(0);
	change("UPDATE documents SET original_content = NULL WHERE source < '3'");
	expect(count()).toEqual({ waiting: DOCUMENT_COUNT - 3, left: 3 });
	change(
		`UPDATE knowledge_bases SET embedding = '{"model":"small","base_url":"https://v.example","length":2}'`,
	);
	expect(count()).toEqual({ waiting: 0, left: DOCUMENT_COUNT });
	expect(await readAll(true)).toBe(0);
	change("UPDATE knowledge_bases SET embedding = 'null'");
	expect(await readAll(true)).toBe(DOCUMENT_COUNT - 3);
	expect(count()).toEqual({ waiting: 0, left: 3 });
});

it("what a file of today has is as good as read by the first version of each reader", () => {
	const migrations = workspaceMigrations.slice(0, workspaceMigrations.indexOf(readerVersionsSql));
	const { database } = openForWriting(path, migrations);
	database.exec(
		"INSERT INTO knowledge_bases (id, name, created_at, updated_at) VALUES ('kb_1', 'Old', 1, 1);" +
			Object.keys(READER_VERSIONS)
				.map(
					(format) =>
						"INSERT INTO documents (id, knowledge_base, title, source, format, status, size_bytes, content_sha256, metadata," +
						` created_at, updated_at) VALUES ('doc_${format}', 1, 'T', '${format}', '${format}', 'ready', 1, 'x', '{}', 1, 1);`,
				)
				.join(""),
	);
	database.close();
	const { waiting, left } = count();
	expect(waiting + left).toBe(Object.values(READER_VERSIONS).filter((version) => version > 1).length);
});
