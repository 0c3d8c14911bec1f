import type { EmbeddingPin, PinnedSpace } from "../../../../knowledge/embeddings/pinned-space";
import type { JobFile } from "../../../job-file";
import { type JsonColumn, parseColumn } from "../../../json-column";

/** SQL's own null where nothing is pinned. */
export type PinColumn = JsonColumn<PinnedSpace | null> | null;

export const parsePin = (column: PinColumn): EmbeddingPin =>
	column === null ? undefined : parseColumn(column);

/** @param knowledgeBase - a number. */
export function readPin(file: JobFile, knowledgeBase: number): EmbeddingPin {
	const row = file
		.prepare<{ readonly embedding: PinColumn }>("SELECT embedding FROM knowledge_bases WHERE number = ?")
		.get(knowledgeBase);
	return parsePin(row?.embedding ?? null);
}

export function writePin(file: JobFile, knowledgeBase: number, pin: PinnedSpace | null): void {
	file
		.prepare("UPDATE knowledge_bases SET embedding = ? WHERE number = ?")
		.run(JSON.stringify(pin), knowledgeBase);
}

/** Removes the pin of a knowledge base without passages, where new vectors have nothing to be compared with. */
export function unpinIfEmpty(file: JobFile, knowledgeBase: number): void {
	file.prepare(UNPIN).run(knowledgeBase);
}

/** Removes the pin of an empty knowledge base, unless a document is half written. */
const UNPIN =
	"UPDATE knowledge_bases SET embedding = NULL WHERE number = ? AND passage_count = 0 AND NOT EXISTS" +
	" (SELECT 1 FROM passage_sweeps WHERE knowledge_base = knowledge_bases.number" +
	" AND upload IN (SELECT number FROM uploads))";
