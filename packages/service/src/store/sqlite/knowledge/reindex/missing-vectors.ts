import type { PassageContent } from "@stemma/documents";
import { toEmbeddedText } from "../../../../knowledge/embeddings/passage-embedder";
import type {
	ReindexBatch,
	ReindexBatchInput,
	ReindexSize,
} from "../../../../knowledge/repositories/reindex-repository";
import type { JobFile } from "../../../job-file";
import { findKnowledgeBases } from "../find-knowledge-bases";
import { readVectorSlot, toOtherSlot, toVectorTables, type VectorSlot } from "../search/vector-slots";
import { findReindexRow } from "./reindex-rows";

/**
 * Rows of passages, by the id of their document from one on. Passages that no document shows are not among them. `CROSS
 * JOIN` keeps the order, in which the index of documents gives them.
 */
const SHOWN_PASSAGES =
	"FROM documents CROSS JOIN passages ON passages.number BETWEEN first_passage AND first_passage + passage_count - 1" +
	" WHERE knowledge_base = ? AND documents.id >= ?";

const toMissingCondition = (slot: VectorSlot): string =>
	` AND NOT EXISTS (SELECT 1 FROM ${toVectorTables(slot).codes} AS codes` +
	" WHERE codes.knowledge_base = documents.knowledge_base AND codes.number = passages.number)";

/** Passage without a vector. */
export interface MissingRow {
	readonly number: number;
	readonly document: string;
	readonly title: string;
	readonly heading: string | null;
	readonly text: string;
}

/** Takes passages without a vector of the target; none where the target is words alone. */
export function takeUnindexed(file: JobFile, input: ReindexBatchInput): ReindexBatch | undefined {
	const row = findReindexRow(file, input.knowledgeBase);
	if (row === undefined || (row.status !== "running" && row.status !== "paused")) return undefined;
	if (row.target === "null") return { passages: [], last: "" };
	const sql =
		`SELECT passages.number, documents.id AS document, title, heading, text ${SHOWN_PASSAGES}` +
		`${toMissingCondition(toOtherSlot(row.vector_slot))} ORDER BY documents.id LIMIT ?`;
	const rows = file.prepare<MissingRow>(sql).all(row.knowledge_base, input.after, input.limit);
	const passages = rows.map(({ number, title, ...passage }) => ({ number, text: toText(title, passage) }));
	return { passages, last: rows.at(-1)?.document ?? "" };
}

/** Returns the text of a passage that its vector is made of. */
export const toText = (title: string, { heading, text }: Pick<MissingRow, "heading" | "text">): string => {
	const place: PassageContent["place"] = { start: 0, end: text.length, ...(heading !== null && { heading }) };
	return toEmbeddedText(title, { place, text });
};

/** Checks whether a passage has no vector in a slot. */
export const hasMissingVectors = (file: JobFile, knowledgeBase: number, slot: VectorSlot): boolean =>
	file.prepare(`SELECT 1 ${SHOWN_PASSAGES}${toMissingCondition(slot)} LIMIT 1`).get(knowledgeBase, "") !==
	undefined;

/** Measures the passages that a move would give vectors to. */
export function measureReindex(
	file: JobFile,
	input: { readonly knowledgeBase: string; readonly keepsSpare: boolean },
): ReindexSize {
	const [knowledgeBase] = findKnowledgeBases(file, [input.knowledgeBase]);
	if (knowledgeBase === undefined) return { passages: 0, characters: 0, bytes: 0 };
	const condition = input.keepsSpare
		? toMissingCondition(toOtherSlot(readVectorSlot(file, knowledgeBase)))
		: "";
	const row = file
		.prepare<ReindexSize>(
			"SELECT count(*) AS passages, coalesce(sum(length(embedded)), 0) AS characters," +
				" coalesce(sum(length(CAST(embedded AS BLOB))), 0) AS bytes FROM" +
				` (SELECT title || coalesce(heading, '') || text AS embedded ${SHOWN_PASSAGES}${condition})`,
		)
		.get(knowledgeBase, "");
	return row ?? { passages: 0, characters: 0, bytes: 0 };
}

/** Counts the passages with a vector of the target, among which some may be that no document shows any more. */
export function countReindexed(file: JobFile, knowledgeBase: number): number {
	const { codes } = toVectorTables(toOtherSlot(readVectorSlot(file, knowledgeBase)));
	const row = file
		.prepare(`SELECT count(*) AS count FROM ${codes} WHERE knowledge_base = ?`)
		.get(knowledgeBase);
	return Number(row?.count ?? 0);
}
