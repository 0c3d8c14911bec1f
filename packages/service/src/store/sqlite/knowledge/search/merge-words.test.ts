import { afterEach, beforeEach, expect, it } from "vitest";
import { openVectorDatabase, type VectorDatabase } from "../../../../knowledge/test-support/memory-knowledge";
import { inTransaction } from "../../../in-transaction";
import { mergeWords } from "./merge-words";
import { openWordIndex, toWordIndex } from "./word-index";

const KNOWLEDGE_BASE = 7;
const TABLE = toWordIndex(KNOWLEDGE_BASE);

let database: VectorDatabase;
beforeEach(() => {
	database = openVectorDatabase();
	const insert = database.file.prepare(
		"INSERT INTO knowledge_bases (number, id, slug, name, created_at, updated_at) VALUES (?, ?, ?, ?, 1, 1)",
	);
	insert.run(KNOWLEDGE_BASE, "kb_7", "handbook", "Handbook");
});
afterEach(() => database.close());

/** Writes passages, each in a transaction of its own, which is a segment of its own. */
function write(first: number, count: number): void {
	for (let number = first; number < first + count; number++)
		inTransaction(database.file, () =>
			openWordIndex(database.file, KNOWLEDGE_BASE)(number, {
				title: "",
				heading: "",
				text: `refund number${number} ${"word ".repeat(50)}`,
			}),
		);
}

/** The first two rows describe the index; the number of a segment stands above the lowest 37 bits of the others. */
const countSegments = (): number =>
	Number(
		database.file.prepare(`SELECT count(DISTINCT id >> 37) AS count FROM ${TABLE}_data WHERE id > 10`).get()
			?.count,
	);

const merge = (): boolean => inTransaction(database.file, () => mergeWords(database.file));

const find = (word: string): readonly unknown[] =>
	database.file.prepare(`SELECT rowid FROM ${TABLE} WHERE ${TABLE} MATCH ?`).all(word);

it("merges what was written, until there is nothing left to do", () => {
	write(1, 7);
	expect(countSegments()).toBe(7);
	while (merge());
	expect(countSegments()).toBe(1);
	expect(find("refund")).toHaveLength(7);
	expect(find("number3")).toEqual([{ rowid: 3 }]);
	expect(merge()).toBe(false);
});

it("begins again once more is written", () => {
	write(1, 3);
	while (merge());
	write(4, 1);
	expect(merge()).toBe(true);
	while (merge());
	expect(find("refund")).toHaveLength(4);
});
