import { sql } from "kysely";
import { beforeEach, expect, it } from "vitest";
import type { Knowledge } from "../../../../knowledge/knowledge";
import { startKnowledge } from "../../../../knowledge/test-support/memory-knowledge";
import type { Database } from "../../../database";
import { createKnowledgeRepositories } from "../../../repositories/knowledge/knowledge-repositories";
import type { WorkspaceTables } from "../../../workspace-tables";
import { describeOnPostgres } from "../../test-support/describe-on-postgres";

interface WordRow {
	readonly word: string;
	readonly count: number;
}

/** Number of records of each word. */
const COUNT_RECORDS = `
	select word, sum(last - start) as count
	from word_blocks cross join lateral unnest(words, ends, array_prepend(0, ends)) as found (word, last, start)
	where word is not null group by word`;

describeOnPostgres("the word index", ({ openWorkspace }) => {
	let database: Database<WorkspaceTables>;
	let knowledge: Knowledge;
	let base: string;
	beforeEach(async () => {
		database = openWorkspace();
		knowledge = await startKnowledge(database);
		base = (await knowledge.createKnowledgeBase({ name: "Words" })).id;
	});

	async function add(content: string, source: string): Promise<void> {
		await knowledge.addDocuments(base, [{ content, format: "text", title: "T", source }]);
		await knowledge.waitUntilIdle();
	}
	async function sweep(): Promise<void> {
		const { passages } = createKnowledgeRepositories(database);
		while (await passages.sweep());
	}
	const query = async <Row>(statement: string): Promise<readonly Row[]> =>
		(await sql.raw<Row>(statement).execute(database.read)).rows;
	const countRecords = async () =>
		Object.fromEntries((await query<WordRow>(COUNT_RECORDS)).map(({ word, count }) => [word, count]));
	const readSegments = () =>
		query<{ readonly passages: number; readonly deleted: readonly number[] }>(
			"select passage_count as passages, deleted from word_segments order by segment",
		);
	const search = async (text: string) =>
		(await knowledge.search({ query: text, knowledge_base_ids: [base], top_k: 20 })).map(
			({ source }) => source,
		);
	const readTotals = () => query("select passage_count, token_count from word_indexes");

	it("has a record for each word of each passage, until it is swept away", async () => {
		await add("A refund of refunds.", "a");
		await add("A car.", "b");
		expect(await countRecords()).toEqual({ t: 2, a: 2, refund: 1, of: 1, car: 1 });
		expect(await readTotals()).toEqual([{ passage_count: 2, token_count: 8 }]);
		await add("A wheel.", "a");
		await sweep();
		expect(await countRecords()).toEqual({ t: 2, a: 2, wheel: 1, car: 1 });
		expect(await readTotals()).toEqual([{ passage_count: 2, token_count: 6 }]);
	});

	it("merges segments of one size, and finds the same in them", async () => {
		for (let index = 0; index < 7; index++) await add(`Refund number${index} of all.`, `${index}`);
		await sweep();
		expect(await readSegments()).toHaveLength(7);
		const before = await countRecords();
		await add("Refund number7 of all.", "7");
		await sweep();
		expect(await readSegments()).toEqual([{ passages: 8, deleted: [] }]);
		expect(await countRecords()).toEqual({ ...before, t: 8, refund: 8, of: 8, all: 8, number7: 1 });
		expect((await search("refund")).toSorted()).toEqual(["0", "1", "2", "3", "4", "5", "6", "7"]);
		expect((await search("number3"))[0]).toBe("3");
	});

	it("finds no passage that is deleted, also while there are records of it", async () => {
		const documents = Array.from({ length: 9 }, (_, index) => ({
			...{ content: `Refund number${index}.`, format: "text" as const, title: "T", source: `${index}` },
		}));
		await knowledge.addDocuments(base, documents);
		await knowledge.waitUntilIdle();
		await add("A wheel.", "4");
		await sweep();
		expect((await readSegments())[0]).toMatchObject({ passages: 9, deleted: [expect.any(Number)] });
		expect(await search("refund")).not.toContain("4");
		expect(await search("number4")).toEqual([]);
		expect(await search("wheel")).toEqual(["4"]);
	});

	it("is gone with its knowledge base", async () => {
		await add("A refund.", "a");
		await knowledge.deleteKnowledgeBase(base);
		await sweep();
		for (const table of [
			"word_segments",
			"word_blocks",
			"word_indexes",
			"passage_words",
			"passages",
			"knowledge_bases",
		])
			expect(await query(`select 1 from ${table}`)).toEqual([]);
	});

	it("shows a workspace the words of its own passages alone", async () => {
		await add("A refund.", "a");
		const other = openWorkspace();
		for (const table of ["word_segments", "word_blocks", "word_indexes", "passage_words"])
			expect((await sql.raw(`select 1 from ${table}`).execute(other.read)).rows).toEqual([]);
	});
});
