import type { A2aMessage } from "@stemma/client/a2a";
import type { Visibility } from "../../../runs/visibility";
import type { JsonColumn } from "../../json-column";

/** The runs of a workspace that are tasks of A2A. Times are epoch milliseconds, JSON is text. */
export interface A2aTables {
	a2a_tasks: {
		run_id: string;
		/** ID of the agent, copied from the run for the index. */
		agent_id: string;
		started_by: string;
		context_id: string;
		/** Key that identifies a message when the same caller sends it again. */
		message_key: string;
		message: JsonColumn<A2aMessage>;
		/** Time of the last status change. */
		status_at: number;
	};
	a2a_push_configs: {
		run_id: string;
		id: string;
		url: string;
		/** Authentication scheme, such as `Bearer`. */
		scheme: string | null;
		/** Sealed; see `push-secrets.ts`. None where it has none, or needs none any more. */
		secrets: string | null;
		/** `cl_…` */
		set_by: string;
		/** Visibility of the run for that caller. */
		exposure: Visibility;
		/** The receiver has all up to this seq. */
		delivered_seq: number;
		/** `1` once nothing more is to be delivered. */
		is_over: 0 | 1;
		created_at: number;
	};
}

// The run's row is written after its task's, in the same transaction.
export const a2aTablesSql = `
CREATE TABLE a2a_tasks (
	run_id TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
	agent_id TEXT NOT NULL,
	started_by TEXT NOT NULL,
	context_id TEXT NOT NULL,
	message_key TEXT NOT NULL,
	message TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX a2a_tasks_by_message ON a2a_tasks (agent_id, started_by, message_key);
CREATE INDEX a2a_tasks_by_agent ON a2a_tasks (agent_id, run_id);
CREATE INDEX a2a_tasks_by_context ON a2a_tasks (agent_id, context_id, run_id);
CREATE TABLE a2a_push_configs (
	run_id TEXT NOT NULL REFERENCES a2a_tasks (run_id) ON DELETE CASCADE,
	id TEXT NOT NULL,
	url TEXT NOT NULL,
	scheme TEXT,
	secrets TEXT,
	set_by TEXT NOT NULL,
	exposure TEXT NOT NULL,
	delivered_seq INTEGER NOT NULL,
	is_over INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	PRIMARY KEY (run_id, id)
) STRICT;
CREATE INDEX a2a_push_configs_to_deliver ON a2a_push_configs (run_id) WHERE is_over = 0;
CREATE INDEX a2a_push_configs_sealed ON a2a_push_configs (run_id) WHERE secrets IS NOT NULL;
`;

/** Lists are in the order of the last change of status (A2A 1.0.1, section 3.1.4). */
export const a2aStatusTimeSql = `
ALTER TABLE a2a_tasks ADD COLUMN status_at INTEGER NOT NULL DEFAULT 0;
UPDATE a2a_tasks SET status_at = coalesce(
	(SELECT coalesce(runs.ended_at, runs.created_at) FROM runs WHERE runs.id = a2a_tasks.run_id), 0
);
DROP INDEX a2a_tasks_by_agent;
CREATE INDEX a2a_tasks_by_agent ON a2a_tasks (agent_id, status_at, run_id);
`;
