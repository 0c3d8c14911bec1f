import type { DatabaseSync, StatementSync } from "node:sqlite";

/** File that a job works on; prepared statements are kept. */
export interface JobFile {
	readonly database: DatabaseSync;
	prepare(sql: string): StatementSync;
}

/** Work that runs whole in a database thread, because a message for each of its statements would take too long. */
export type Job = (file: JobFile, input: unknown) => unknown;
