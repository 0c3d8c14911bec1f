import type { AuditRecord } from "@stemma/client";
import type { Payer } from "@stemma/core";
import type { EmbeddingSpace } from "@stemma/routing";
import { type EmbeddingPin, isPinnedTo } from "../../../../knowledge/embeddings/pinned-space";
import type {
	ReindexedBase,
	StoredReindex,
	StoreReindexedInput,
	StoreReindexedResult,
} from "../../../../knowledge/repositories/reindex-repository";
import { inSnapshot, inTransaction, inUnsyncedTransaction } from "../../../in-transaction";
import type { JobFile } from "../../../job-file";
import { parseColumn } from "../../../json-column";
import { insertAudit } from "../../audit-rows";
import { findKnowledgeBases } from "../find-knowledge-bases";
import { parsePin, readPin } from "../jobs/embedding-pins";
import { openVectorTables } from "../search/passage-vectors";
import { readVectorSlot, toOtherSlot, toVectorTables } from "../search/vector-slots";
import { countReindexed, hasMissingVectors } from "./missing-vectors";
import { deleteReindexRow, findReindexRow, type ReindexRow } from "./reindex-rows";

/** Finds a knowledge base with its move, at one moment. */
export const findReindex = (file: JobFile, id: string): ReindexedBase | undefined =>
	inSnapshot(file, () => {
		const [knowledgeBase] = findKnowledgeBases(file, [id]);
		if (knowledgeBase === undefined) return undefined;
		const row = findReindexRow(file, id);
		const passages = file
			.prepare<{ readonly count: number }>(
				"SELECT passage_count AS count FROM knowledge_bases WHERE number = ?",
			)
			.get(knowledgeBase);
		const passageCount = passages?.count ?? 0;
		return {
			id,
			pin: readPin(file, knowledgeBase),
			passageCount,
			reindex: row && toStored(file, row, passageCount),
		};
	});

function toStored(file: JobFile, row: ReindexRow, passageCount: number): StoredReindex {
	const target = parseColumn(row.target);
	const isDone = row.status === "completed" || target === null;
	return {
		...{ status: row.status, target, spare: parsePin(row.spare), payer: row.payer, skipped: row.skipped },
		error: row.error === null ? null : parseColumn(row.error),
		done: isDone
			? passageCount
			: row.needs_clearing
				? 0
				: Math.min(passageCount, countReindexed(file, row.knowledge_base)),
		...{ startedAt: row.started_at, completedAt: row.completed_at },
	};
}

export interface StartReindexJob {
	readonly knowledgeBase: string;
	readonly target: EmbeddingSpace | null;
	readonly payer: Payer;
	readonly actor: string;
	readonly now: number;
	readonly audit: AuditRecord;
}

/** Starts a move, or resumes it. Vectors of the target that are there already stay; others are deleted first. */
export function startReindex(file: JobFile, input: StartReindexJob): void {
	inTransaction(file, () => {
		const [knowledgeBase] = findKnowledgeBases(file, [input.knowledgeBase]);
		if (knowledgeBase === undefined) return;
		const row = findReindexRow(file, input.knowledgeBase);
		const spare = row === undefined || row.needs_clearing ? undefined : parsePin(row.spare);
		const isReusable = spare !== undefined && spare !== null && isSameTarget(spare, input.target);
		const isResumed = row !== undefined && isActive(row) && row.target === JSON.stringify(input.target);
		file
			.prepare(
				"INSERT OR REPLACE INTO reindexes (knowledge_base, status, target, spare, needs_clearing, payer, error, skipped, actor, started_at)" +
					" VALUES (?, 'running', ?, ?, ?, ?, NULL, ?, ?, ?)",
			)
			.run(
				knowledgeBase,
				JSON.stringify(input.target),
				isReusable && row ? row.spare : null,
				row !== undefined && !isReusable && (row.needs_clearing || spare) ? 1 : 0,
				input.payer,
				isResumed ? row.skipped : 0,
				input.actor,
				isResumed ? row.started_at : input.now,
			);
		insertAudit(file, input.audit);
	});
}

/** Checks whether a move goes on, or will. */
export const isActive = ({ status }: ReindexRow): boolean => status === "running" || status === "paused";

/** Checks whether vectors of a pin are those of a target. */
export const isSameTarget = (pin: NonNullable<EmbeddingPin>, target: EmbeddingSpace | null): boolean =>
	target !== null && isPinnedTo(pin, target);

/** Stores vectors of the target, unless the move has stopped. Passages that are gone are left out. */
export const storeReindexed = (file: JobFile, input: StoreReindexedInput): StoreReindexedResult =>
	inUnsyncedTransaction(file, () => {
		const row = findReindexRow(file, input.knowledgeBase);
		const target = row && parseColumn(row.target);
		if (!row || !isActive(row) || row.needs_clearing || !target || !isSameSpace(target, input.space))
			return "stopped";
		const spare = parsePin(row.spare);
		const length = spare?.length ?? input.vectors.find(({ values }) => values !== null)?.values?.length;
		if (length === undefined) return "length_unknown";
		if (input.vectors.some(({ values }) => values !== null && values.length !== length))
			return "length_changed";
		const tables = toVectorTables(toOtherSlot(row.vector_slot));
		const insert = openVectorTables(file, row.knowledge_base, tables);
		const hasPassage = file.prepare("SELECT 1 FROM passages WHERE number = ?");
		// A vector of zeros is like no other: the passage is found by its words.
		for (const { passage, values } of input.vectors)
			if (hasPassage.get(passage) !== undefined) insert(passage, values ?? new Float32Array(length));
		const skipped = input.vectors.filter(({ values }) => values === null).length;
		file
			.prepare(
				"UPDATE reindexes SET status = 'running', error = NULL, spare = ?, skipped = skipped + ? WHERE knowledge_base = ?",
			)
			.run(JSON.stringify({ ...target, length }), skipped, row.knowledge_base);
		return "stored";
	});

/** Checks whether vectors that were made in a space are those of the target. */
export const isSameSpace = (target: EmbeddingSpace, space: EmbeddingSpace): boolean =>
	isPinnedTo({ ...target, length: target.dimensions ?? 0 }, space);

export interface CompleteReindexJob {
	readonly knowledgeBase: string;
	readonly now: number;
	/** Record without its author, which the move knows. */
	readonly audit: AuditRecord;
}

/** Makes the vectors of the target answer from now on, all at once, and keeps the former ones. */
export const completeReindex = (file: JobFile, { knowledgeBase, now, audit }: CompleteReindexJob): boolean =>
	inTransaction(file, () => {
		const row = findReindexRow(file, knowledgeBase);
		if (row === undefined || !isActive(row) || row.needs_clearing) return false;
		const other = toOtherSlot(row.vector_slot);
		if (row.target !== "null" && hasMissingVectors(file, row.knowledge_base, other)) return false;
		const former = readPin(file, row.knowledge_base);
		file
			.prepare("UPDATE knowledge_bases SET embedding = ?, vector_slot = ?, updated_at = ? WHERE number = ?")
			.run(row.target === "null" ? "null" : row.spare, other, now, row.knowledge_base);
		file
			.prepare(
				"UPDATE reindexes SET status = 'completed', spare = ?, error = NULL, completed_at = ? WHERE knowledge_base = ?",
			)
			.run(former === undefined ? null : JSON.stringify(former), now, row.knowledge_base);
		insertAudit(file, { ...audit, actor: row.actor });
		return true;
	});

export interface DropReindexJob {
	readonly knowledgeBase: string;
	readonly audit: AuditRecord;
}

/** Stops a move, or drops what it kept; the vectors are deleted after that, a few at a time. */
export const dropReindex = (file: JobFile, { knowledgeBase, audit }: DropReindexJob): boolean =>
	inTransaction(file, () => {
		const row = findReindexRow(file, knowledgeBase);
		if (row === undefined || row.status === "dropping") return false;
		file
			.prepare(
				"UPDATE reindexes SET status = 'dropping', needs_clearing = 1, error = NULL WHERE knowledge_base = ?",
			)
			.run(row.knowledge_base);
		insertAudit(file, audit);
		return true;
	});

/** Maximum that one transaction clears, so that other work need not wait long. */
export const VECTORS_PER_CLEARING = 300;

/** Deletes some of the vectors that no search uses, where they must go; after the last ones, a dropped move is no more. */
export const clearReindex = (file: JobFile, id: string): boolean =>
	inUnsyncedTransaction(file, () => {
		const row = findReindexRow(file, id);
		if (row === undefined || !row.needs_clearing) return false;
		if (clearSpareVectors(file, row.knowledge_base)) return true;
		if (row.status === "dropping") deleteReindexRow(file, row.knowledge_base);
		else
			file
				.prepare("UPDATE reindexes SET needs_clearing = 0 WHERE knowledge_base = ?")
				.run(row.knowledge_base);
		return false;
	});

/** @returns whether there may be more. */
function clearSpareVectors(file: JobFile, knowledgeBase: number): boolean {
	const { vectors, codes } = toVectorTables(toOtherSlot(readVectorSlot(file, knowledgeBase)));
	const some = `SELECT number FROM ${codes} WHERE knowledge_base = ? ORDER BY number LIMIT ${VECTORS_PER_CLEARING}`;
	file.prepare(`DELETE FROM ${vectors} WHERE number IN (${some})`).run(knowledgeBase);
	const { changes } = file
		.prepare(`DELETE FROM ${codes} WHERE knowledge_base = ? AND number IN (${some})`)
		.run(knowledgeBase, knowledgeBase);
	return Number(changes) === VECTORS_PER_CLEARING;
}
