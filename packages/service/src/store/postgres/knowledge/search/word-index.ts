import { sql } from "kysely";
import type { PassageRange } from "../../../../knowledge/repositories/passage-repository";
import type { PassageWords } from "../../../sqlite/knowledge/search/word-index";
import { ownRows } from "../../own-rows-plugin";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { withIndexTables } from "./index-tables";
import { type PassageTokens, toPassageTokens, toVectorLiteral } from "./passage-tokens";

/** Passages whose tokens are made at once, so that others have the main thread in between. */
const PASSAGES_PER_TURN = 16;

/**
 * Inserts the words of passages into the index of their knowledge base.
 *
 * @param first - number of the first passage; the others follow.
 */
export async function insertWords(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
	first: number,
	words: readonly PassageWords[],
): Promise<void> {
	const tokens = await tokenizeInTurns(words);
	if (tokens.length === 0) return;
	const rows = tokens.map((passage, index) => ({
		number: first + index,
		knowledge_base: knowledgeBase,
		title_tokens: passage.titleTokens,
		token_count: passage.tokenCount,
		words: toVectorLiteral(passage),
	}));
	await withIndexTables(transaction).insertInto("passage_words").values(rows).execute();
	await addTotals(transaction, knowledgeBase, tokens);
	await addVocabulary(transaction, knowledgeBase, tokens);
}

async function tokenizeInTurns(words: readonly PassageWords[]): Promise<readonly PassageTokens[]> {
	const tokens: PassageTokens[] = [];
	for (let start = 0; start < words.length; start += PASSAGES_PER_TURN) {
		if (start > 0) await new Promise(setImmediate);
		tokens.push(...toPassageTokens(words.slice(start, start + PASSAGES_PER_TURN)));
	}
	return tokens;
}

async function addTotals(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
	tokens: readonly PassageTokens[],
): Promise<void> {
	const { rows } = await sql<{ readonly isNew: number }>`
		insert into word_indexes as totals (knowledge_base, passage_count, token_count)
		values (${knowledgeBase}, ${tokens.length}, ${tokens.reduce((sum, { tokenCount }) => sum + tokenCount, 0)})
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

/** Adds tokens in their order, as all transactions do, so that none waits for another that waits for it. */
async function addVocabulary(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
	tokens: readonly PassageTokens[],
): Promise<void> {
	const counts = new Map<string, number>();
	for (const { positions } of tokens)
		for (const token of positions.keys()) counts.set(token, (counts.get(token) ?? 0) + 1);
	await sql`
		insert into passage_vocabulary as known (knowledge_base, word, passage_count)
		select ${knowledgeBase}::bigint, word, passage_count
		from unnest(${[...counts.keys()]}::text[], ${[...counts.values()]}::bigint[]) as added (word, passage_count)
		order by word collate "C"
		on conflict (workspace, knowledge_base, word) do update
			set passage_count = known.passage_count + excluded.passage_count`.execute(transaction);
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
			returning token_count, words
		)
		select coalesce((select count(*) from deleted), 0) as passages,
			coalesce((select sum(token_count) from deleted), 0) as tokens,
			array(select word from deleted, unnest(tsvector_to_array(words)) as word group by word order by word collate "C") as words,
			array(select count(*) from deleted, unnest(tsvector_to_array(words)) as word group by word order by word collate "C") as counts`.execute(
		transaction,
	);
	const [deleted] = rows;
	if (deleted === undefined || deleted.passages === 0) return;
	await withIndexTables(transaction)
		.updateTable("word_indexes")
		.set(({ eb }) => ({
			passage_count: eb("passage_count", "-", deleted.passages),
			token_count: eb("token_count", "-", deleted.tokens),
		}))
		.where("knowledge_base", "=", knowledgeBase)
		.execute();
	await subtractVocabulary(transaction, knowledgeBase, deleted);
}

interface DeletedWords {
	readonly passages: number;
	readonly tokens: number;
	readonly words: readonly string[];
	/** Number of these passages with each word. */
	readonly counts: readonly number[];
}

async function subtractVocabulary(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
	{ words, counts }: DeletedWords,
): Promise<void> {
	await sql`
		update passage_vocabulary known set passage_count = known.passage_count - gone.passage_count
		from unnest(${words}::text[], ${counts}::bigint[]) as gone (word, passage_count)
		where ${ownRows("known")} and known.knowledge_base = ${knowledgeBase} and known.word = gone.word`.execute(
		transaction,
	);
	await sql`
		delete from passage_vocabulary known
		where ${ownRows("known")} and known.knowledge_base = ${knowledgeBase} and known.word = any(${words}::text[])
			and known.passage_count <= 0`.execute(transaction);
}

/** Deletes what is left of the word index of a knowledge base that is deleted. */
export async function dropWordIndex(transaction: WorkspaceTransaction, knowledgeBase: number): Promise<void> {
	const tables = withIndexTables(transaction);
	await tables.deleteFrom("passage_vocabulary").where("knowledge_base", "=", knowledgeBase).execute();
	await tables.deleteFrom("word_indexes").where("knowledge_base", "=", knowledgeBase).execute();
}
