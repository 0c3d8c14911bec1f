import type { JobFile } from "../../../job-file";
import { toWordIndex } from "./word-index";
import { findWordMerge, forgetWordMerge } from "./word-merges";

/** Pages of a merge that one transaction writes, about 15 ms of work, so that others need not wait long. */
const PAGES_PER_MERGE = 400;
/** Number of segments of a size from which they are merged here: amounts to one rewriting each time that an index doubles. */
const MIN_SEGMENTS = 2;
/** FTS5 counts one change of its own where there was nothing to merge (https://sqlite.org/fts5.html#the_merge_command). */
const CHANGES_OF_NOTHING = 1;

/**
 * Merges some of the segments of an index that was written to. Within a transaction.
 *
 * @returns whether there was something to do.
 */
export function mergeWords(file: JobFile): boolean {
	const knowledgeBase = findWordMerge(file);
	if (knowledgeBase === undefined) return false;
	const table = toWordIndex(knowledgeBase);
	setMinSegments(file, table);
	const before = countChanges(file);
	file.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ${PAGES_PER_MERGE})`).run();
	if (countChanges(file) - before <= CHANGES_OF_NOTHING) forgetWordMerge(file, knowledgeBase);
	return true;
}

/** Sets from how many segments on `merge` merges; FTS5 keeps that with the index. */
function setMinSegments(file: JobFile, table: string): void {
	const set = file
		.prepare(`SELECT 1 AS found FROM ${table}_config WHERE k = 'usermerge' AND v = ?`)
		.get(MIN_SEGMENTS);
	if (set === undefined)
		file.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('usermerge', ${MIN_SEGMENTS})`).run();
}

const countChanges = (file: JobFile): number =>
	Number(file.prepare("SELECT total_changes() AS changes").get()?.changes);
