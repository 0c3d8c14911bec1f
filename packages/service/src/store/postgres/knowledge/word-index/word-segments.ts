import { sql } from "kysely";
import { selectEncoded } from "../../connection/row-arrays";
import { ownRows } from "../../own-rows-plugin";
import { insertBlocksSql, RECORD_BYTES, recordNumberSql } from "../../tables/knowledge/word-block-tables";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { BLOCK_TYPES, type CollectedWords } from "./collected-words";
import { withIndexTables } from "./index-tables";
import { planMerge, type SegmentSize } from "./plan-merge";

/** Number of segments of a knowledge base from which they are merged while documents are stored: a search reads each. */
const MAX_UNMERGED_SEGMENTS = 128;

/** Inserts the words of passages as a segment of their own. Segments are merged later, unless there are very many by now. */
export async function insertSegment(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
	{ blocks, firstPassage, lastPassage, passageCount }: CollectedWords,
): Promise<void> {
	const [, segments] = await Promise.all([
		sql`
			with added as (
				insert into word_segments (knowledge_base, first_passage, last_passage, passage_count)
				values (${knowledgeBase}::bigint, ${firstPassage}::bigint, ${lastPassage}::bigint, ${passageCount}::bigint)
				returning segment
			)
			insert into word_blocks (knowledge_base, segment, first_word, words, ends, records)
			select ${knowledgeBase}::bigint, added.segment, first_word, string_to_array(words, ' '),
				string_to_array(ends, ' ')::integer[], records
			from added, ${selectEncoded(BLOCK_TYPES, blocks)}`.execute(transaction),
		listSegments(transaction, knowledgeBase),
	]);
	if (segments.length <= MAX_UNMERGED_SEGMENTS) return;
	const merged = planMerge(segments);
	if (merged.length > 0) await mergeSegments(transaction, knowledgeBase, merged);
}

/** Marks passages as deleted in the segments that may have records of them, unless their knowledge base is deleted as a whole. */
export async function markDeleted(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
	numbers: readonly number[],
): Promise<void> {
	await sql`
		update word_segments set deleted = deleted || array(
			select number from unnest(${numbers}::bigint[]) as number where number between first_passage and last_passage
		)
		where ${ownRows("word_segments")} and knowledge_base = ${knowledgeBase}
			and first_passage <= ${Math.max(...numbers)} and last_passage >= ${Math.min(...numbers)}
			and exists (select from knowledge_bases where ${ownRows("knowledge_bases")}
				and knowledge_bases.number = knowledge_base and deleted_at is null)`.execute(transaction);
}

/** Merges segments of one knowledge base that are to be merged. @returns whether there were any. */
export async function mergeNextSegments(transaction: WorkspaceTransaction): Promise<boolean> {
	const segments = await listSegments(transaction);
	for (const [knowledgeBase, own] of Map.groupBy(segments, (segment) => segment.knowledgeBase)) {
		const merged = planMerge(own);
		if (merged.length === 0) continue;
		await mergeSegments(transaction, knowledgeBase, merged);
		return true;
	}
	return false;
}

interface ListedSegment extends SegmentSize {
	/** A number, not an id. */
	readonly knowledgeBase: number;
}

/** Lists segments from the oldest on. @param knowledgeBase - default: all. */
const listSegments = (
	transaction: WorkspaceTransaction,
	knowledgeBase?: number,
): Promise<readonly ListedSegment[]> =>
	withIndexTables(transaction)
		.selectFrom("word_segments")
		.select(["knowledge_base as knowledgeBase", "segment", "passage_count as passages"])
		.select(sql<number>`cardinality(deleted)`.as("deleted"))
		.$if(knowledgeBase !== undefined, (query) => query.where("knowledge_base", "=", knowledgeBase ?? 0))
		.orderBy("segment")
		.execute();

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

/** Memory of the server for the sorts of a merge, which would go through the disk otherwise. */
const MERGE_MEMORY = "32MB";

/** Writes segments again as one, without the records of deleted passages. */
async function mergeSegments(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
	segments: readonly number[],
): Promise<void> {
	await sql`set local work_mem = ${sql.lit(MERGE_MEMORY)}`.execute(transaction);
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
