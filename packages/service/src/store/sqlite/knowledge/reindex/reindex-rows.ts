import type { Selectable } from "kysely";
import type { JobFile } from "../../../job-file";
import type { ReindexTable } from "./reindex-tables";

/** Row of a move, with what it depends on. */
export interface ReindexRow extends Selectable<ReindexTable> {
	/** Slot whose vectors searches use. */
	readonly vector_slot: 0 | 1;
}

/** Finds the move of a knowledge base that was not deleted. @param knowledgeBase - an id. */
export const findReindexRow = (file: JobFile, knowledgeBase: string): ReindexRow | undefined =>
	file
		.prepare<ReindexRow>(
			"SELECT reindexes.*, vector_slot FROM reindexes JOIN knowledge_bases ON number = knowledge_base" +
				" WHERE id = ? AND deleted_at IS NULL",
		)
		.get(knowledgeBase);

/** Checks whether vectors of a knowledge base are being made in another space: its new passages wait for these. */
export const isMoving = (file: JobFile, knowledgeBase: number): boolean =>
	file
		.prepare("SELECT 1 FROM reindexes WHERE knowledge_base = ? AND status IN ('running', 'paused')")
		.get(knowledgeBase) !== undefined;

export const deleteReindexRow = (file: JobFile, knowledgeBase: number): void =>
	void file.prepare("DELETE FROM reindexes WHERE knowledge_base = ?").run(knowledgeBase);
