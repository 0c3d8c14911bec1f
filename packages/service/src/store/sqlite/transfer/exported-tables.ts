/**
 * Tables of a workspace's file that an export holds, in the order in which they are imported: what others refer to comes
 * first. The name of a table is the name of its kind in the archive.
 */
export const EXPORTED_TABLES = [
	"llm_settings",
	"workspace_secrets",
	"agents",
	"agent_versions",
	"knowledge_bases",
	"sources",
	"contents",
	"documents",
	"uploads",
	"passages",
	"passage_sweeps",
	"content_sweeps",
	"passage_vectors",
	"passage_vectors_2",
	"reindexes",
	"source_items",
	"source_syncs",
	"runs",
	"run_inputs",
	"run_events",
	"run_states",
	"approvals",
	"a2a_tasks",
	"a2a_push_configs",
	"threads",
	"thread_messages",
	"answers",
	"feedback",
	"responses",
	"receipts",
	"usage_days",
	"usage_user_days",
	"usage_costs",
	"audit",
] as const;

/** Tables of vectors, which an export may leave out. */
export const VECTOR_TABLES: readonly string[] = ["passage_vectors", "passage_vectors_2", "reindexes"];

/**
 * Tables that an export does not hold: they follow from others (codes of vectors, moves and merges of words, chunks, which are
 * entries of their own), say whose file it is, or end within a day (requests that were sent twice).
 */
export const OMITTED_TABLES = [
	"passage_codes",
	"passage_codes_2",
	"word_index_moves",
	"word_merges",
	"content_chunks",
	"workspace_identity",
	"idempotency",
] as const;

/** Tables of a workspace's file that a copy needs, in the order of their references; the others follow from them. */
export const COPIED_TABLES: readonly string[] = [...EXPORTED_TABLES, "content_chunks"];

/** Kind of the counters that numbers are taken from, so that no number is used twice. */
export const SEQUENCES = "sqlite_sequence";

/** Tables of the deployment's file that an export holds the rows of a workspace of, in the order of their import. */
export const DEPLOYMENT_TABLES = ["users", "members", "clients", "client_keys", "audit"] as const;
