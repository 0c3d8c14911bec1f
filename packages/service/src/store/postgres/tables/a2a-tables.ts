import { TEXT } from "./column-types";
import { WORKSPACE_COLUMN_SQL } from "./partitioned-table";

/** Tables of A2A tasks and push configurations. A run's row is written after its task's, in the same transaction. */
export const a2aTablesSql = `
create table a2a_tasks (
	${WORKSPACE_COLUMN_SQL},
	run_id ${TEXT} not null,
	agent_id ${TEXT} not null,
	started_by ${TEXT} not null,
	context_id ${TEXT} not null,
	message_key ${TEXT} not null,
	message ${TEXT} not null,
	status_at bigint not null,
	primary key (workspace, run_id),
	foreign key (workspace, run_id) references runs (workspace, id) on delete cascade deferrable initially deferred
);
create unique index a2a_tasks_by_message on a2a_tasks (workspace, agent_id, started_by, message_key);
create index a2a_tasks_by_agent on a2a_tasks (workspace, agent_id, status_at, run_id);
create index a2a_tasks_by_context on a2a_tasks (workspace, agent_id, context_id, run_id);
create table a2a_push_configs (
	${WORKSPACE_COLUMN_SQL},
	run_id ${TEXT} not null,
	id ${TEXT} not null,
	url ${TEXT} not null,
	scheme ${TEXT},
	secrets ${TEXT},
	set_by ${TEXT} not null,
	exposure ${TEXT} not null,
	delivered_seq bigint not null,
	is_over smallint not null,
	created_at bigint not null,
	primary key (workspace, run_id, id),
	foreign key (workspace, run_id) references a2a_tasks (workspace, run_id) on delete cascade
);
create index a2a_push_configs_to_deliver on a2a_push_configs (workspace, run_id) where is_over = 0;
create index a2a_push_configs_sealed on a2a_push_configs (workspace, run_id) where secrets is not null;
`;
