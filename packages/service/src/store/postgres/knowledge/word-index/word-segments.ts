import { sql } from "kysely";
import { ownRows } from "../../own-rows-plugin";
import { insertBlocksSql, RECORD_BYTES, recordNumberSql } from "../../tables/knowledge/word-block-tables";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { withIndexTables } from "./index-tables";
import { planMerge, type SegmentSize } from "./plan-merge";
import { type NumberedTokens, toWordBlocks } from "./word-blocks";

/** Inserts the words of passages as a segment of their own, and merges segments where there are many by now. */
export async function insertSegment(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
	passages: readonly NumberedTokens[],
): Promise<void> {
	const numbers = passages.map(({ number }) => number);
	const { segment } = await withIndexTables(transaction)
		.insertInto("word_segments")
		.values({
			knowledge_base: knowledgeBase,
			first_passage: Math.min(...numbers),
			last_passage: Math.max(...numbers),
			passage_count: numbers.length,
		})
		.returning("segment")
		.executeTakeFirstOrThrow();
	const blocks = toWordBlocks(passages);
	await sql`
		insert into word_blocks (knowledge_base, segment, first_word, words, ends, records)
		select ${knowledgeBase}::bigint, ${segment}::bigint, first_word, string_to_array(words, ' '),
			string_to_array(ends, ' ')::integer[], records
		from unnest(${blocks.map(({ words }) => words[0])}::text[], ${blocks.map(({ words }) => words.join(" "))}::text[],
			${blocks.map(({ ends }) => ends.join(" "))}::text[], ${blocks.map(({ records }) => records)}::bytea[])
			as blocks (first_word, words, ends, records)`.execute(transaction);
	await mergeWhereMany(transaction, knowledgeBase);
}

/** Marks passages as deleted in the segments that may have records of them, unless their knowledge base is deleted as a whole. */
export async function markDeleted(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
	numbers: readonly number[],
): Promise<void> {
	const { numAffectedRows = 0n } = await sql`
		update word_segments set deleted = deleted || array(
			select number from unnest(${numbers}::bigint[]) as number where number between first_passage and last_passage
		)
		where ${ownRows("word_segments")} and knowledge_base = ${knowledgeBase}
			and first_passage <= ${Math.max(...numbers)} and last_passage >= ${Math.min(...numbers)}
			and exists (select from knowledge_bases where ${ownRows("knowledge_bases")}
				and knowledge_bases.number = knowledge_base and deleted_at is null)`.execute(transaction);
	if (numAffectedRows > 0n) await mergeWhereMany(transaction, knowledgeBase);
}

async function mergeWhereMany(transaction: WorkspaceTransaction, knowledgeBase: number): Promise<void> {
	const { rows: segments } = await sql<SegmentSize>`
		select segment, passage_count as passages, cardinality(deleted) as deleted from word_segments
		where ${ownRows("word_segments")} and knowledge_base = ${knowledgeBase} order by segment`.execute(
		transaction,
	);
	const merged = planMerge(segments);
	if (merged.length > 0) await mergeSegments(transaction, knowledgeBase, merged);
}

/** Records of a word in a block of `merged`: without those of deleted passages, where there are any; null where none is left. */
const KEPT_RECORDS = `case
	when deleted = '{}' then substring(records from start * ${RECORD_BYTES} + 1 for (last - start) * ${RECORD_BYTES})
	else (
		select string_agg(record, '' order by place)
		from generate_series(start, last - 1) as place
		cross join lateral substring(records from place * ${RECORD_BYTES} + 1 for ${RECORD_BYTES}) as record
		where ${recordNumberSql("record")} <> all (deleted)
	)
end`;

/** Writes segments again as one, without the records of deleted passages. */
async function mergeSegments(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
	segments: readonly number[],
): Promise<void> {
	const { rows } = await sql<{ readonly segment: number }>`
		insert into word_segments (knowledge_base, first_passage, last_passage, passage_count)
		select ${knowledgeBase}::bigint, min(first_passage), max(last_passage),
			greatest(1, sum(passage_count - cardinality(deleted)))
		from word_segments where ${ownRows("word_segments")} and knowledge_base = ${knowledgeBase}
			and segment = any(${segments}::bigint[])
		returning segment`.execute(transaction);
	const segment = rows[0]?.segment ?? 0;
	const { numAffectedRows: blocks = 0n } = await sql`
		with merged as (
			select deleted, words, ends, records from word_blocks
			join word_segments on ${ownRows("word_segments")} and word_segments.knowledge_base = word_blocks.knowledge_base
				and word_segments.segment = word_blocks.segment
			where ${ownRows("word_blocks")} and word_blocks.knowledge_base = ${knowledgeBase}
				and word_blocks.segment = any(${segments}::bigint[])
		), listed as (
			select word, ${sql.raw(KEPT_RECORDS)} as records
			from merged cross join lateral unnest(words, ends, array_prepend(0, ends)) as found (word, last, start)
			where word is not null
		), lists as (
			select current_setting('stemma.workspace') as workspace, ${knowledgeBase}::bigint as knowledge_base,
				${segment}::bigint as segment, word, string_agg(records, '') as records
			from listed where records is not null group by word
		)
		${sql.raw(insertBlocksSql("select * from lists"))}`.execute(transaction);
	const gone = blocks > 0n ? segments : [...segments, segment];
	const tables = withIndexTables(transaction);
	for (const table of ["word_blocks", "word_segments"] as const)
		await tables
			.deleteFrom(table)
			.where("knowledge_base", "=", knowledgeBase)
			.where("segment", "=", sql<number>`any(${gone}::bigint[])`)
			.execute();
}
