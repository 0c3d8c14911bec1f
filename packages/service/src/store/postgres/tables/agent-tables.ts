import { NUMBER, TEXT } from "./column-types";
import { WORKSPACE_COLUMN_SQL } from "./partitioned-table";

/** Tables of agents and their versions. */
export const agentTablesSql = `
create table agents (
	${WORKSPACE_COLUMN_SQL},
	${NUMBER},
	id ${TEXT} not null,
	slug ${TEXT} not null,
	name ${TEXT},
	description ${TEXT},
	version bigint not null,
	graph ${TEXT} not null,
	created_at bigint not null,
	updated_at bigint not null,
	access ${TEXT},
	primary key (workspace, id),
	unique (workspace, slug),
	unique (workspace, number)
);
create index agents_with_access on agents (workspace) where access is not null;
create table agent_versions (
	${WORKSPACE_COLUMN_SQL},
	agent_id ${TEXT} not null,
	number bigint not null,
	name ${TEXT},
	note ${TEXT},
	created_by ${TEXT},
	restored_from bigint,
	created_at bigint not null,
	graph ${TEXT} not null,
	primary key (workspace, agent_id, number),
	foreign key (workspace, agent_id) references agents (workspace, id) on delete cascade
);
`;
