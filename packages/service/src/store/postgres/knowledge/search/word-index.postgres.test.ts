import { sql } from "kysely";
import { beforeEach, expect, it } from "vitest";
import type { Knowledge } from "../../../../knowledge/knowledge";
import { startKnowledge } from "../../../../knowledge/test-support/memory-knowledge";
import type { Database } from "../../../database";
import { createKnowledgeRepositories } from "../../../repositories/knowledge/knowledge-repositories";
import type { WorkspaceTables } from "../../../workspace-tables";
import { describeOnPostgres } from "../../test-support/describe-on-postgres";

interface VocabularyRow {
	readonly word: string;
	readonly passage_count: number;
}

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
	const readVocabulary = async () =>
		Object.fromEntries(
			(await query<VocabularyRow>("select word, passage_count from passage_vocabulary")).map(
				({ word, passage_count }) => [word, passage_count],
			),
		);
	const readTotals = () => query("select passage_count, token_count from word_indexes");

	it("counts the passages with each word, until they are swept away", async () => {
		await add("A refund of refunds.", "a");
		await add("A car.", "b");
		expect(await readVocabulary()).toEqual({ t: 2, a: 2, refund: 1, of: 1, car: 1 });
		expect(await readTotals()).toEqual([{ passage_count: 2, token_count: 8 }]);
		await add("A wheel.", "a");
		await sweep();
		expect(await readVocabulary()).toEqual({ t: 2, a: 2, wheel: 1, car: 1 });
		expect(await readTotals()).toEqual([{ passage_count: 2, token_count: 6 }]);
	});

	it("is gone with its knowledge base", async () => {
		await add("A refund.", "a");
		await knowledge.deleteKnowledgeBase(base);
		await sweep();
		for (const table of [
			"passage_vocabulary",
			"word_indexes",
			"passage_words",
			"passages",
			"knowledge_bases",
		])
			expect(await query(`select 1 from ${table}`)).toEqual([]);
	});

	it("shows a workspace the words of its own passages alone", async () => {
		await add("A refund.", "a");
		const all =
			"select passages from find_passage_words(array(select generate_series(0, 100))::bigint[], array['refund'])";
		const bases = await query<{ readonly number: number }>("select number from knowledge_bases");
		const own = `select passages from find_passage_words(array[${bases[0]?.number}]::bigint[], array['refund'])`;
		expect(await query(own)).toHaveLength(1);
		const other = openWorkspace();
		for (const statement of [all, own])
			expect((await sql.raw(statement).execute(other.read)).rows).toEqual([]);
		expect((await sql`select 1 from passage_words`.execute(other.read)).rows).toEqual([]);
	});
});
