import { sql } from "kysely";
import { ownRows } from "../../own-rows-plugin";
import { RECORD_BYTES } from "../../tables/knowledge/word-block-tables";
import type { WorkspaceTransaction } from "../../workspace-transaction";

/** Last code point: appended to a beginning, it is behind every token that begins like that. */
const LAST = "\u{10ffff}";

/** Records of the passages of one segment with a word, or with words of one beginning. */
export interface WordRecords {
	/** A number, not an id. */
	readonly knowledgeBase: number;
	/** The word or the beginning. */
	readonly word: string;
	readonly records: Uint8Array;
}

/** Reads the passages of knowledge bases with each of these tokens. */
export async function readTokens(
	transaction: WorkspaceTransaction,
	knowledgeBases: readonly number[],
	tokens: readonly string[],
): Promise<readonly WordRecords[]> {
	if (tokens.length === 0) return [];
	const { rows } = await sql<WordRecords>`
		select segments.knowledge_base as "knowledgeBase", wanted.word, substring(
			records from coalesce(ends[place - 1], 0) * ${sql.lit(RECORD_BYTES)} + 1
			for (ends[place] - coalesce(ends[place - 1], 0)) * ${sql.lit(RECORD_BYTES)}
		) as records
		from word_segments segments
		cross join unnest(${tokens}::text[]) as wanted (word)
		cross join lateral (
			select words, ends, records from word_blocks blocks
			where ${ownRows("blocks")} and blocks.knowledge_base = segments.knowledge_base
				and blocks.segment = segments.segment and blocks.first_word <= wanted.word
			order by blocks.first_word desc limit 1
		) as block
		cross join lateral array_position(words, wanted.word) as place
		where ${ownRows("segments")} and segments.knowledge_base = any(${knowledgeBases}::bigint[])
			and place is not null`.execute(transaction);
	return rows;
}

/** Reads the passages of knowledge bases with any token of each of these beginnings. */
export async function readBeginnings(
	transaction: WorkspaceTransaction,
	knowledgeBases: readonly number[],
	beginnings: readonly string[],
): Promise<readonly WordRecords[]> {
	if (beginnings.length === 0) return [];
	const { rows } = await sql<WordRecords>`
		select segments.knowledge_base as "knowledgeBase", beginning as word, substring(
			records from start * ${sql.lit(RECORD_BYTES)} + 1 for (last - start) * ${sql.lit(RECORD_BYTES)}
		) as records
		${wordsWithin(knowledgeBases, beginnings)}`.execute(transaction);
	return rows;
}

/** Filters the beginnings that a token of a passage has, also of one that was deleted not long ago. */
export async function filterBeginnings(
	transaction: WorkspaceTransaction,
	knowledgeBases: readonly number[],
	beginnings: readonly string[],
): Promise<ReadonlySet<string>> {
	return new Set(await selectDistinct(transaction, "beginning", knowledgeBases, beginnings));
}

/** Lists the tokens of passages that have any of these beginnings. */
export const listTokensWith = (
	transaction: WorkspaceTransaction,
	knowledgeBases: readonly number[],
	beginnings: readonly string[],
): Promise<readonly string[]> => selectDistinct(transaction, "word", knowledgeBases, beginnings);

async function selectDistinct(
	transaction: WorkspaceTransaction,
	column: "beginning" | "word",
	knowledgeBases: readonly number[],
	beginnings: readonly string[],
): Promise<readonly string[]> {
	if (beginnings.length === 0) return [];
	const { rows } = await sql<{ readonly found: string }>`
		select distinct ${sql.ref(column)} as found ${wordsWithin(knowledgeBases, beginnings)}`.execute(
		transaction,
	);
	return rows.map(({ found }) => found);
}

/**
 * Words of segments that have these beginnings, with their records. Both ends of a range are values, which an index can look
 * for where row-level security is on; the first word may be within a block that begins before it.
 */
const wordsWithin = (knowledgeBases: readonly number[], beginnings: readonly string[]) => sql`
	from word_segments segments
	cross join unnest(${beginnings}::text[], ${beginnings.map((beginning) => beginning + LAST)}::text[]) as ranges (beginning, ending)
	cross join lateral (
		select max(blocks.first_word) as first_word from word_blocks blocks
		where ${ownRows("blocks")} and blocks.knowledge_base = segments.knowledge_base
			and blocks.segment = segments.segment and blocks.first_word <= beginning
	) as before
	join word_blocks blocks on ${ownRows("blocks")} and blocks.knowledge_base = segments.knowledge_base
		and blocks.segment = segments.segment and blocks.first_word < ending
		and blocks.first_word >= coalesce(before.first_word, beginning)
	cross join lateral unnest(words, ends, array_prepend(0, ends)) as found (word, last, start)
	where ${ownRows("segments")} and segments.knowledge_base = any(${knowledgeBases}::bigint[])
		and word collate "C" >= beginning and word collate "C" < ending`;
