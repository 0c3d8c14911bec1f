import { byteCounterSql, byteFunctionSql, type CountedTable } from "./byte-counter";
import { WORKSPACE_COLUMN_SQL } from "./partitioned-table";

/** Tables whose rows count, with the columns that may be large. */
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
	knowledge_bases: ["description"],
	documents: ["title", "metadata", "error", "unread_pages"],
	passages: ["heading", "text"],
	content_chunks: ["bytes"],
	passage_words: [],
	sources: ["settings", "scan_state"],
	source_items: ["label"],
	source_syncs: ["counts", "issues"],
};

const VECTOR_TABLES = ["passage_vectors", "passage_vectors_2"] as const;

const toVectorTable = (table: string, dimensions: string): CountedTable => ({
	...{ table, columns: [], more: `4 * ${dimensions}(vector)` },
});

/** Table of the bytes that each workspace stores. Triggers of the tables that count keep it. */
export const storageTablesSql = `
create table workspace_storage (
	${WORKSPACE_COLUMN_SQL},
	bytes bigint not null,
	primary key (workspace)
);
${Object.entries(COUNTED)
	.map(([table, columns]) => byteCounterSql({ table, columns }))
	.join("")}${VECTOR_TABLES.map((table) => byteCounterSql(toVectorTable(table, "cardinality"))).join("")}`;

/** Counts vectors in the type of pgvector. May run again. */
export const vectorCountersSql = VECTOR_TABLES.map((table) =>
	byteFunctionSql(toVectorTable(table, "vector_dims")),
).join("");
