import type { SourceIssue, SourceSyncCounts } from "@stemma/client";
import type { NewDocument } from "../../../knowledge/repositories/document-repository";
import type { JobFile } from "../../job-file";
import { parseColumn } from "../../json-column";
import type { SourceSyncTable } from "./source-tables";

/** Sync that is running, in the transaction that stores what it finds. */
export interface RunningSync extends Pick<SourceSyncTable, "counts" | "issues" | "bytes_read"> {
	readonly number: number;
	/** A number. */
	readonly source: number;
	/** A number. */
	readonly knowledgeBase: number;
	/** 0 or 1. */
	readonly is_forced: number;
}

/** Finds a sync by its id; `undefined` where it has ended, or its source or knowledge base is deleted. */
export const findRunningSync = (file: JobFile, id: string): RunningSync | undefined =>
	file
		.prepare<RunningSync>(
			"SELECT source_syncs.number, source, sources.knowledge_base AS knowledgeBase, is_forced, counts, bytes_read, issues" +
				" FROM source_syncs JOIN sources ON sources.number = source_syncs.source" +
				" JOIN knowledge_bases ON knowledge_bases.number = sources.knowledge_base" +
				" WHERE source_syncs.id = ? AND status = 'running'" +
				" AND sources.deleted_at IS NULL AND knowledge_bases.deleted_at IS NULL",
		)
		.get(id);

/** Maximum number of items that a report names. */
const MAX_ISSUES = 100;

type Counts = { -readonly [Name in keyof SourceSyncCounts]: number };

/** Counts of a sync, while they change. */
export interface SyncTally {
	readonly counts: Counts;
	readonly issues: readonly SourceIssue[];
	readonly bytes: number;
	addBytes(content: NewDocument["content"]): void;
	/** Counts an item that failed or was skipped, and names it where there is room. */
	addIssue(issue: SourceIssue): void;
}

export function startTally(sync: RunningSync): SyncTally {
	const counts: Counts = { ...parseColumn(sync.counts) };
	const issues = parseColumn(sync.issues);
	let bytes = sync.bytes_read;
	return {
		counts,
		issues,
		get bytes() {
			return bytes;
		},
		addBytes(content) {
			bytes += "size" in content ? content.size : content.byteLength;
		},
		addIssue({ key, outcome, code, message }) {
			counts[outcome] += 1;
			if (issues.length < MAX_ISSUES) issues.push({ key, outcome, code, message });
		},
	};
}

/**
 * Stores the counts of a sync, in the transaction of what they count. The state of the scan before is deleted: it is not what
 * is stored any more.
 */
export function storeTally(file: JobFile, sync: RunningSync, { counts, issues, bytes }: SyncTally): void {
	file
		.prepare("UPDATE source_syncs SET counts = ?, issues = ?, bytes_read = ? WHERE number = ?")
		.run(JSON.stringify(counts), JSON.stringify(issues), bytes, sync.number);
	file.prepare("UPDATE sources SET scan_state = NULL WHERE number = ?").run(sync.source);
}
