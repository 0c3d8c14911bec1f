import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openForWriting, type SqliteFile } from "../../sqlite-file";
import { workspaceMigrations } from "../../workspace-tables";
import { sweep } from "./jobs/sweep-job";
import {
	LEGACY_INDEX_COUNT,
	toKnowledgeBaseTerm,
	toLegacyIndex,
	wordIndexMovesSql,
} from "./search/legacy-word-indexes";
import { search } from "./search/search-job";

/** More than one transaction moves. */
const DOCUMENT_COUNT = 700;
const THAI = "กรุงเทพเป็นเมืองหลวงของประเทศไทย";

let folder: string;
let path: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "stemma-words-"));
	path = join(folder, "workspace.sqlite");
});
afterEach(() => rmSync(folder, { recursive: true }));

const toText = (number: number): string => (number === DOCUMENT_COUNT ? THAI : `Refund number${number} here`);

/** Word indexes as versions before this one created them. */
const legacyIndexesSql = Array.from(
	{ length: LEGACY_INDEX_COUNT },
	(_, index) => `CREATE VIRTUAL TABLE ${toLegacyIndex(index)} USING fts5 (
		knowledge_base, title, heading, text, content = '', contentless_delete = 1,
		tokenize = 'porter unicode61 remove_diacritics 2'
	);`,
).join("\n");

/** Creates a file of the version before, with documents of one passage in two knowledge bases that share an index. */
function createOlderFile(): void {
	const step = workspaceMigrations.findIndex((sql) => sql.includes(wordIndexMovesSql));
	const { database } = openForWriting(path, workspaceMigrations.slice(0, step));
	database.exec(legacyIndexesSql);
	const bases = [1, 1 + LEGACY_INDEX_COUNT];
	const insertBase = database.prepare(
		"INSERT INTO knowledge_bases (number, id, slug, name, passage_count, created_at, updated_at) VALUES (?, ?, ?, ?, ?, 1, 1)",
	);
	for (const base of bases)
		insertBase.run(base, `kb_${base}`, `base-${base}`, `Base ${base}`, DOCUMENT_COUNT / 2);
	const insertDocument = database.prepare(
		"INSERT INTO documents (number, id, knowledge_base, title, source, format, status, size_bytes, content_sha256," +
			" metadata, first_passage, passage_count, created_at, updated_at)" +
			" VALUES (?, ?, ?, 'Note', ?, 'text', 'ready', 1, '', '{}', ?, 1, 1, 1)",
	);
	const insertPassage = database.prepare(
		"INSERT INTO passages (number, document, start_offset, end_offset, text) VALUES (?, ?, 0, 1, ?)",
	);
	for (let number = 1; number <= DOCUMENT_COUNT; number++) {
		const base = bases[number % 2] ?? 1;
		insertDocument.run(number, `doc_${number}`, base, `${number}`, number);
		insertPassage.run(number, number, toText(number));
		database
			.prepare(
				`INSERT INTO ${toLegacyIndex(base)} (rowid, knowledge_base, title, heading, text) VALUES (?, ?, 'Note', '', ?)`,
			)
			.run(number, toKnowledgeBaseTerm(base), toText(number));
	}
	database.close();
}

function find(file: SqliteFile, text: string): readonly string[] {
	const output = search(file, { queries: [{ text }], knowledgeBases: ["kb_1", "kb_33"], topK: 3 });
	return "passages" in output ? output.passages.map((passage) => passage.text) : [];
}

const open = (): SqliteFile => openForWriting(path, workspaceMigrations);

const listLegacyTables = ({ database }: SqliteFile): readonly unknown[] =>
	database.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'passage_words%'").all();

it("moves the words of an older file into an index of each knowledge base, also where it is interrupted", () => {
	createOlderFile();
	let file = open();
	expect(find(file, "เมืองหลวง")).toEqual([]);
	let steps = 0;
	for (let hasMore = true; hasMore; steps++) {
		for (const number of [1, 350, 699]) expect(find(file, `number${number}`)).toEqual([toText(number)]);
		hasMore = sweep(file);
		// As after a crash: what was not committed is gone, and the next process goes on.
		if (steps === 1) file.database.exec("BEGIN; DELETE FROM word_index_moves");
		file.close();
		file = open();
	}
	expect(steps).toBeGreaterThan(3);
	expect(listLegacyTables(file)).toEqual([]);
	expect(find(file, "เมืองหลวง")).toEqual([THAI]);
	expect(find(file, "number2")).toEqual([toText(2)]);
	expect(sweep(file)).toBe(false);
	file.close();
});

it("deletes passages whose words are not moved yet, and does not find them again", () => {
	createOlderFile();
	const file = open();
	file.database.exec("INSERT INTO passage_sweeps (first, last, knowledge_base) VALUES (1, 699, 1)");
	file.database.exec("DELETE FROM documents WHERE number < 700");
	while (sweep(file));
	expect(find(file, "number1 number350")).toEqual([]);
	expect(find(file, "เมืองหลวง")).toEqual([THAI]);
	file.close();
});

it("creates no indexes of an earlier version in a new file", () => {
	const file = open();
	expect(listLegacyTables(file)).toEqual([]);
	expect(sweep(file)).toBe(false);
	file.close();
});
