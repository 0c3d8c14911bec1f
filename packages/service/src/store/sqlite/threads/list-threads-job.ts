import type { SQLInputValue } from "node:sqlite";
import type { StoredThread } from "../../../threads/stored-thread";
import type { ThreadListOptions } from "../../../threads/thread-repository";
import type { JobFile } from "../../job-file";
import type { ThreadRow } from "./thread-tables";

/** Row of a thread with its active run, as it is read. */
export type ListedThreadRow = ThreadRow & Pick<StoredThread, "active_run_id">;

/** Run of the oldest answer that is being written, or waits for a person. */
const ACTIVE_RUN_ID = `(
	SELECT run_id FROM thread_messages
	WHERE thread_id = threads.id AND ended_at IS NULL AND status <> 'queued' ORDER BY number LIMIT 1
) AS active_run_id`;

const MATCHES = `(
	threads.title LIKE ? ESCAPE '\\' OR EXISTS (
		SELECT 1 FROM thread_messages WHERE thread_id = threads.id AND text LIKE ? ESCAPE '\\'
	)
)`;

/** Lists threads, newest first; one more than `limit`, where there are more. */
export function listThreads(
	file: JobFile,
	{ limit, after, query, owner, withoutAgents = [] }: ThreadListOptions,
): readonly ListedThreadRow[] {
	const pattern = query === undefined ? [] : [toPattern(query)];
	const conditions: readonly (readonly [sql: string, values: readonly (SQLInputValue | undefined)[]])[] = [
		[MATCHES, [...pattern, ...pattern]],
		["id < ?", [after]],
		["owner_id = ?", [owner]],
		[
			"coalesce(agent_id, '') NOT IN (SELECT value FROM json_each(?))",
			[withoutAgents.length === 0 ? undefined : JSON.stringify(withoutAgents)],
		],
	];
	const given = conditions.filter(([, values]) => values[0] !== undefined);
	const where = given.length === 0 ? "" : ` WHERE ${given.map(([sql]) => sql).join(" AND ")}`;
	return file
		.prepare<ListedThreadRow>(
			`SELECT threads.*, ${ACTIVE_RUN_ID} FROM threads${where} ORDER BY id DESC LIMIT ?`,
		)
		.all(...given.flatMap(([, values]) => values.map((value) => value ?? null)), limit + 1);
}

/** Pattern of `LIKE` for a text anywhere; a backslash escapes. */
export const toPattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;
