import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { migrate, readVersion } from "./migrate";

const CREATE = "CREATE TABLE notes (text TEXT NOT NULL); INSERT INTO notes VALUES ('kept')";
/** Takes far more pages than there are, after a change that must not stay. */
const FILL = `UPDATE notes SET text = 'changed';
CREATE TABLE filled (bytes BLOB);
INSERT INTO filled WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT 200) SELECT randomblob(4096) FROM numbers`;

let folder: string;
let database: DatabaseSync;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "stemma-migrate-"));
	database = new DatabaseSync(join(folder, "notes.sqlite"));
	database.exec("PRAGMA journal_mode = WAL");
	migrate(database, [CREATE]);
});
afterEach(() => {
	database.close();
	rmSync(folder, { recursive: true, force: true });
});

const readNotes = (): unknown[] =>
	database
		.prepare("SELECT text FROM notes")
		.all()
		.map(({ text }) => text);

it("leaves a file as it was where its disk is full, and goes on once there is space", () => {
	const page = database.prepare("PRAGMA page_count").get();
	// What SQLite says on a full disk, it says of a file that may not grow.
	database.exec(`PRAGMA max_page_count = ${Number(page?.page_count) + 10}`);
	expect(() => migrate(database, [CREATE, FILL])).toThrow(/full/u);
	expect([readVersion(database), readNotes()]).toEqual([1, ["kept"]]);
	expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
	database.exec("PRAGMA max_page_count = 4294967294");
	migrate(database, [CREATE, FILL]);
	expect([readVersion(database), readNotes()]).toEqual([2, ["changed"]]);
});
