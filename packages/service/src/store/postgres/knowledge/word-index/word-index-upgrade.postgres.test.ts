import { sql } from "kysely";
import { expect, it } from "vitest";
import { startKnowledge } from "../../../../knowledge/test-support/memory-knowledge";
import { openPostgresSession } from "../../connection/postgres-pool";
import { migratePostgres } from "../../migrate-postgres";
import { wordBlockTablesSql } from "../../tables/knowledge/word-block-tables";
import { describeOnPostgres } from "../../test-support/describe-on-postgres";
import { APPLICATION, OWNER } from "../../test-support/test-server";

/** Takes the tables back to what the migration finds, as far as it reads or drops something. */
const DOWNGRADE = `
set search_path = stemma;
drop table word_blocks, word_segments;
alter table passage_words rename column positions to words;
alter table passage_words alter column words type tsvector using words::tsvector;
create table passage_vocabulary ();
create function passage_keys(text, bigint, tsvector) returns bigint[] language sql immutable return '{}'::bigint[];
create index passage_words_by_key on passage_words using gin (passage_keys(workspace, knowledge_base, words));
create function find_passage_words(bigint[], text[]) returns table (word text) language sql stable return 'a'::text;
`;

describeOnPostgres("the upgrade of word indexes", (database) => {
	it("keeps what a search finds, with its scores", async () => {
		const opened = database.openWorkspace();
		const knowledge = await startKnowledge(opened);
		const { id } = await knowledge.createKnowledgeBase({ name: "Words" });
		const documents = Array.from({ length: 30 }, (_, index) => ({
			content: `The refund of invoice${index % 5} is paid. Refunds take ${index} days, see ERR_CONN_${index}.`,
			format: "text" as const,
			title: `Refunds ${index % 3}`,
		}));
		await knowledge.addDocuments(id, documents);
		await knowledge.waitUntilIdle();
		const search = () =>
			Promise.all(
				["refund of invoice3", "invoi", "ERR_CONN_7", "how many days"].map(async (query) =>
					(await knowledge.search({ query, knowledge_base_ids: [id], top_k: 20 })).map(({ text, score }) => [
						text,
						score,
					]),
				),
			);
		const before = await search();
		expect(before[0]?.length).toBeGreaterThan(5);

		const owner = await openPostgresSession(database.toUrl(OWNER));
		await owner.query(DOWNGRADE);
		await owner.query(wordBlockTablesSql);
		// Protects the new tables.
		await migratePostgres(owner, APPLICATION);
		await owner.close();
		const { rows } = await sql<{ readonly passages: number }>`
			select passage_count as passages from word_segments`.execute(opened.read);
		expect(rows).toEqual([{ passages: 30 }]);
		expect(await search()).toEqual(before);
	});
});
