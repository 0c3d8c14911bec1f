import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementResultingChanges } from "node:sqlite";

/** Statement whose rows have a known shape: the columns that its SQL names. */
export interface Statement<Row> {
	get(...parameters: SQLInputValue[]): Row | undefined;
	all(...parameters: SQLInputValue[]): Row[];
	run(...parameters: SQLInputValue[]): StatementResultingChanges;
}

/** File that a job works on; prepared statements are kept. */
export interface JobFile {
	readonly database: DatabaseSync;
	prepare<Row = Record<string, SQLOutputValue>>(sql: string): Statement<Row>;
}
