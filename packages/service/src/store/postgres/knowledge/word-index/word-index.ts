import { sql } from "kysely";
import type { PassageRange } from "../../../../knowledge/repositories/passage-repository";
import { selectEncoded } from "../../connection/row-arrays";
import { ownRows } from "../../own-rows-plugin";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { type CollectedWords, countTokens, PASSAGE_TYPES } from "./collected-words";
import { withIndexTables } from "./index-tables";
import { insertSegment, markDeleted } from "./word-segments";

/** Inserts the words of passages into the index of their knowledge base. */
export async function insertWords(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
	words: CollectedWords,
): Promise<void> {
	await Promise.all([
		sql`
			insert into passage_words (knowledge_base, number, title_tokens, token_count, positions)
			select ${knowledgeBase}::bigint, number, title_tokens, token_count, positions
			from ${selectEncoded(PASSAGE_TYPES, words.passages)}`.execute(transaction),
		addTotals(transaction, knowledgeBase, words),
		insertSegment(transaction, knowledgeBase, words),
	]);
}

async function addTotals(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
	{ passageCount, tokenCount }: CollectedWords,
): Promise<void> {
	const { rows } = await sql<{ readonly isNew: number }>`
		insert into word_indexes as totals (knowledge_base, passage_count, token_count)
		values (${knowledgeBase}, ${passageCount}, ${tokenCount})
		on conflict (workspace, knowledge_base) do update set
			passage_count = totals.passage_count + excluded.passage_count,
			token_count = totals.token_count + excluded.token_count
		returning xmax = 0 as "isNew"`.execute(transaction);
	if (rows[0]?.isNew === 1)
		await transaction
			.updateTable("knowledge_bases")
			.set({ has_word_index: 1 })
			.where("number", "=", knowledgeBase)
			.execute();
}

/** Deletes the words of passages from the index of their knowledge base. */
export async function deleteWords(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
	{ first, count }: PassageRange,
): Promise<void> {
	const { rows } = await sql<DeletedWords>`
		with deleted as (
			delete from passage_words
			where ${ownRows("passage_words")} and number between ${first} and ${first + count - 1}
			returning number, token_count
		)
		select number, token_count as "tokenCount" from deleted`.execute(transaction);
	if (rows.length === 0) return;
	await withIndexTables(transaction)
		.updateTable("word_indexes")
		.set(({ eb }) => ({
			passage_count: eb("passage_count", "-", rows.length),
			token_count: eb("token_count", "-", countTokens(rows)),
		}))
		.where("knowledge_base", "=", knowledgeBase)
		.execute();
	await markDeleted(
		transaction,
		knowledgeBase,
		rows.map(({ number }) => number),
	);
}

interface DeletedWords {
	readonly number: number;
	readonly tokenCount: number;
}

/** Deletes what is left of the word index of a knowledge base that is deleted. */
export async function dropWordIndex(transaction: WorkspaceTransaction, knowledgeBase: number): Promise<void> {
	for (const table of ["word_blocks", "word_segments", "word_indexes"] as const)
		await withIndexTables(transaction)
			.deleteFrom(table)
			.where("knowledge_base", "=", knowledgeBase)
			.execute();
}
