import { sql } from "kysely";
import { ownRows } from "../../own-rows-plugin";
import type { WorkspaceCache } from "../../postgres-job";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { withIndexTables } from "../word-index/index-tables";
import { createVocabulary, type Vocabulary } from "./vocabulary-cache";

/** Number of passages of the searched segments above which their words would take too much memory. */
const MAX_VOCABULARY_PASSAGES = 200_000;

/**
 * Reads the words of all segments of knowledge bases, those of deleted passages among them. Only what the cache does not have
 * comes from the database.
 *
 * @returns `undefined` where there are too many.
 */
export async function readVocabularies(
	transaction: WorkspaceTransaction,
	knowledgeBases: readonly number[],
	{ workspaceId, vocabularies }: WorkspaceCache,
): Promise<readonly Vocabulary[] | undefined> {
	const segments = await listSegments(transaction, knowledgeBases);
	if (segments.reduce((sum, { passages }) => sum + passages, 0) > MAX_VOCABULARY_PASSAGES) return undefined;
	const found = segments.map((segment) => {
		const key = `${workspaceId} ${Object.values(segment).join(" ")}`;
		return { segment: segment.segment, key, vocabulary: vocabularies.get(key) };
	});
	const unknown = found.flatMap(({ segment, vocabulary }) => (vocabulary === undefined ? [segment] : []));
	const words = await readWords(transaction, knowledgeBases, unknown);
	return found.map(({ segment, key, vocabulary }) => {
		if (vocabulary !== undefined) return vocabulary;
		const read = createVocabulary(words.get(segment) ?? "");
		vocabularies.add(key, read);
		return read;
	});
}

/** All that a segment is known by: after a restore, its number may be another one's. */
const listSegments = (transaction: WorkspaceTransaction, knowledgeBases: readonly number[]) =>
	withIndexTables(transaction)
		.selectFrom("word_segments")
		.select(["knowledge_base as base", "segment", "first_passage as first", "last_passage as last"])
		.select("passage_count as passages")
		.where("knowledge_base", "=", sql<number>`any(${knowledgeBases}::bigint[])`)
		.execute();

/** Reads the words of segments, with a blank between them. */
async function readWords(
	transaction: WorkspaceTransaction,
	knowledgeBases: readonly number[],
	segments: readonly number[],
): Promise<ReadonlyMap<number, string>> {
	if (segments.length === 0) return new Map();
	const { rows } = await sql<{ readonly segment: number; readonly words: string }>`
		select segment, string_agg(array_to_string(words, ' '), ' ') as words from word_blocks blocks
		where ${ownRows("blocks")} and knowledge_base = any(${knowledgeBases}::bigint[])
			and segment = any(${segments}::bigint[])
		group by segment`.execute(transaction);
	return new Map(rows.map(({ segment, words }) => [segment, words]));
}
