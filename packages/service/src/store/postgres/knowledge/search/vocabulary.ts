import { type RawBuilder, sql } from "kysely";
import { ownRows } from "../../own-rows-plugin";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { withIndexTables } from "./index-tables";

/** Last code point: appended to a beginning, it is behind every token that begins like that. */
const LAST = "\u{10ffff}";

/** Counts the passages with each of these tokens that any has, by knowledge base. */
export async function countTokens(
	transaction: WorkspaceTransaction,
	knowledgeBases: readonly number[],
	tokens: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
	const rows = await withIndexTables(transaction)
		.selectFrom("passage_vocabulary")
		.select(["word", "passage_count"])
		.where("knowledge_base", "=", sql<number>`any(${knowledgeBases}::bigint[])`)
		.where("word", "=", sql<string>`any(${tokens}::text[])`)
		.execute();
	const counts = new Map<string, number[]>();
	for (const { word, passage_count } of rows) {
		const known = counts.get(word);
		if (known === undefined) counts.set(word, [passage_count]);
		else known.push(passage_count);
	}
	return counts;
}

/** Finds those of these beginnings that tokens of passages have. */
export async function filterBeginnings(
	transaction: WorkspaceTransaction,
	knowledgeBases: readonly number[],
	beginnings: readonly string[],
): Promise<ReadonlySet<string>> {
	if (beginnings.length === 0) return new Set();
	const { rows } = await sql<{ readonly beginning: string }>`
		select beginning from ${toRanges(beginnings)}
		where exists (select from passage_vocabulary known where ${isWithinRange(knowledgeBases)})`.execute(
		transaction,
	);
	return new Set(rows.map(({ beginning }) => beginning));
}

/** Lists the tokens of passages that have any of these beginnings. */
export async function listTokensWith(
	transaction: WorkspaceTransaction,
	knowledgeBases: readonly number[],
	beginnings: readonly string[],
): Promise<readonly string[]> {
	if (beginnings.length === 0) return [];
	const { rows } = await sql<{ readonly word: string }>`
		select distinct known.word from ${toRanges(beginnings)}, passage_vocabulary known
		where ${isWithinRange(knowledgeBases)}`.execute(transaction);
	return rows.map(({ word }) => word);
}

/** Ranges of tokens; both ends are values, which an index can look for where row-level security is on. */
const toRanges = (beginnings: readonly string[]): RawBuilder<unknown> =>
	sql`unnest(${beginnings}::text[], ${beginnings.map((beginning) => beginning + LAST)}::text[]) as ranges (beginning, ending)`;

const isWithinRange = (knowledgeBases: readonly number[]): RawBuilder<boolean> =>
	sql`${ownRows("known")} and known.knowledge_base = any(${knowledgeBases}::bigint[])
		and known.word >= beginning and known.word < ending`;
