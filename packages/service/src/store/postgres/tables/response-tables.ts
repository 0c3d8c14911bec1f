import { NUMBER, TEXT } from "./column-types";
import { WORKSPACE_COLUMN_SQL } from "./partitioned-table";

/** Table of responses. */
export const responseTablesSql = `
create table responses (
	${WORKSPACE_COLUMN_SQL},
	${NUMBER},
	id ${TEXT} not null,
	owner ${TEXT} not null,
	parent_id ${TEXT},
	background smallint not null,
	status ${TEXT} not null,
	created_at bigint not null,
	bytes bigint not null,
	head ${TEXT} not null,
	input ${TEXT} not null,
	outcome ${TEXT} not null,
	primary key (workspace, id),
	unique (workspace, number)
);
create index responses_in_progress on responses (workspace, number) where status = 'in_progress';
create index responses_by_time on responses (workspace, created_at);
`;
