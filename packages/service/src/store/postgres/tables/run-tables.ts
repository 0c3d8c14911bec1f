import { NUMBER, TEXT } from "./column-types";
import { partitionedTable, WORKSPACE_COLUMN_SQL } from "./partitioned-table";

/** Tables of runs, their inputs, events, saved states and approvals, and of receipts. */
export const runTablesSql = `
create table runs (
	${WORKSPACE_COLUMN_SQL},
	id ${TEXT} not null,
	agent_id ${TEXT} not null,
	agent_slug ${TEXT} not null,
	agent_version bigint not null,
	status ${TEXT} not null,
	background smallint not null,
	started_by ${TEXT} not null,
	created_at bigint not null,
	ended_at bigint,
	last_seq bigint not null,
	within ${TEXT},
	limits ${TEXT},
	primary key (workspace, id)
);
create index runs_by_agent on runs (workspace, agent_id, id);
create index runs_by_status on runs (workspace, status, id);
create index runs_by_starter on runs (workspace, started_by, id);
create index runs_by_parent on runs (workspace, within) where within is not null;
create table run_inputs (
	${WORKSPACE_COLUMN_SQL},
	run_id ${TEXT} not null,
	input ${TEXT} not null,
	context ${TEXT} not null,
	primary key (workspace, run_id),
	foreign key (workspace, run_id) references runs (workspace, id) on delete cascade
);
${partitionedTable(
	"run_events",
	`
	${WORKSPACE_COLUMN_SQL},
	run_id ${TEXT} not null,
	seq bigint not null,
	event ${TEXT} not null,
	primary key (workspace, run_id, seq),
	foreign key (workspace, run_id) references runs (workspace, id) on delete cascade
`,
)}
create table run_states (
	${WORKSPACE_COLUMN_SQL},
	run_id ${TEXT} not null,
	state ${TEXT} not null,
	setting ${TEXT} not null,
	primary key (workspace, run_id),
	foreign key (workspace, run_id) references runs (workspace, id) on delete cascade
);
create table approvals (
	${WORKSPACE_COLUMN_SQL},
	run_id ${TEXT} not null,
	id ${TEXT} not null,
	node ${TEXT} not null,
	tool ${TEXT} not null,
	arguments ${TEXT} not null,
	asked_at bigint not null,
	expires_at bigint not null,
	decision ${TEXT},
	reason ${TEXT},
	decided_by ${TEXT},
	decided_at bigint,
	primary key (workspace, run_id, id),
	foreign key (workspace, run_id) references runs (workspace, id) on delete cascade
);
create index approvals_open on approvals (workspace, expires_at) where decision is null;
create table receipts (
	${WORKSPACE_COLUMN_SQL},
	${NUMBER},
	id ${TEXT} not null,
	run_id ${TEXT},
	created_at bigint not null,
	receipt ${TEXT} not null,
	user_id ${TEXT},
	primary key (workspace, id),
	unique (workspace, number)
);
create index receipts_by_run on receipts (workspace, run_id);
`;
