import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, it } from "vitest";
import { inTransaction, inUnsyncedTransaction } from "./in-transaction";
import { toSqliteFile } from "./sqlite-file";

const FULL = 2;
const NORMAL = 1;

describe("inUnsyncedTransaction", () => {
	const database = new DatabaseSync(":memory:");
	const file = toSqliteFile(database);
	const readSynchronous = () => database.prepare("PRAGMA synchronous").get()?.synchronous;
	database.exec("PRAGMA synchronous = FULL; CREATE TABLE numbers (number INTEGER)");
	afterEach(() => database.exec("DELETE FROM numbers"));

	it("does not wait for the disk, and lets later transactions do so", () => {
		expect(inUnsyncedTransaction(file, readSynchronous)).toBe(NORMAL);
		expect(inTransaction(file, readSynchronous)).toBe(FULL);
	});

	it("takes back what failed, and lets later transactions wait for the disk", () => {
		const fail = () =>
			inUnsyncedTransaction(file, () => {
				database.exec("INSERT INTO numbers VALUES (1)");
				throw new Error("failed");
			});
		expect(fail).toThrow("failed");
		expect(database.prepare("SELECT count(*) AS count FROM numbers").get()).toMatchObject({ count: 0 });
		expect(readSynchronous()).toBe(FULL);
	});
});
