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
	if (beginnings.length === 0) return new Set();
	const { rows } = await sql<{ readonly beginning: string }>`
		select distinct beginning ${wordsWithin(knowledgeBases, beginnings)}`.execute(transaction);
	return new Set(rows.map(({ beginning }) => beginning));
}

/**
 * Words of segments that have these beginnings, with their records. The first word may be within a block that begins before
 * it. A planner that joins blocks in another way than one segment after another reads all of them.
 */
const wordsWithin = (knowledgeBases: readonly number[], beginnings: readonly string[]) => sql`
	from word_segments segments
	cross join unnest(${beginnings}::text[], ${beginnings.map((beginning) => beginning + LAST)}::text[]) as ranges (beginning, ending)
	cross join lateral (
		(select words, ends, records from word_blocks blocks
		where ${ownRows("blocks")} and blocks.knowledge_base = segments.knowledge_base
			and blocks.segment = segments.segment and blocks.first_word < beginning
		order by blocks.first_word desc limit 1)
		union all
		select words, ends, records from word_blocks blocks
		where ${ownRows("blocks")} and blocks.knowledge_base = segments.knowledge_base
			and blocks.segment = segments.segment and blocks.first_word >= beginning and blocks.first_word < ending
	) as block
	cross join lateral unnest(words, ends, array_prepend(0, ends)) as found (word, last, start)
	where ${ownRows("segments")} and segments.knowledge_base = any(${knowledgeBases}::bigint[])
		and word collate "C" >= beginning and word collate "C" < ending`;
