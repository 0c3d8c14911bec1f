import { byteCounterSql } from "./byte-counter";
import { WORKSPACE_COLUMN_SQL } from "./partitioned-table";

/** Columns that count, of each table of runs, threads and what goes with them. */
const COUNTED: Readonly<Record<string, readonly string[]>> = {
	agents: ["graph"],
	agent_versions: ["graph"],
	runs: [],
	run_inputs: ["input", "context"],
	run_events: ["event"],
	run_states: ["state", "setting"],
	approvals: ["arguments"],
	a2a_tasks: ["message"],
	threads: ["metadata"],
	thread_messages: ["text", "citations", "receipt", "error"],
	answers: ["content"],
	feedback: ["comment", "content"],
	responses: ["head", "input", "outcome"],
	receipts: ["receipt"],
	audit: ["details"],
	idempotency: ["answer"],
};

/** Table of the bytes that each workspace stores. Triggers of the tables that count keep it. */
export const storageTablesSql = `
create table workspace_storage (
	${WORKSPACE_COLUMN_SQL},
	bytes bigint not null,
	primary key (workspace)
);
${Object.entries(COUNTED)
	.map(([table, columns]) => byteCounterSql(table, columns))
	.join("")}`;
