import { NUMBER, TEXT } from "./column-types";
import { WORKSPACE_COLUMN_SQL } from "./partitioned-table";

/** Tables of threads and their messages. A message has no foreign key to its run: runs may be deleted before. */
export const threadTablesSql = `
create table threads (
	${WORKSPACE_COLUMN_SQL},
	id ${TEXT} not null,
	title ${TEXT},
	metadata ${TEXT} not null,
	owner_kind ${TEXT} not null,
	owner_id ${TEXT} not null,
	agent_id ${TEXT},
	message_count bigint not null,
	characters bigint not null,
	created_at bigint not null,
	updated_at bigint not null,
	primary key (workspace, id)
);
create index threads_by_owner on threads (workspace, owner_id, id);
create index threads_by_update on threads (workspace, updated_at);
create table thread_messages (
	${WORKSPACE_COLUMN_SQL},
	${NUMBER},
	id ${TEXT} not null,
	thread_id ${TEXT} not null,
	parent_id ${TEXT},
	role ${TEXT} not null,
	text ${TEXT} not null,
	status ${TEXT} not null,
	run_id ${TEXT},
	citations ${TEXT},
	refused ${TEXT},
	receipt ${TEXT},
	error ${TEXT},
	created_at bigint not null,
	ended_at bigint,
	answer_id ${TEXT},
	primary key (workspace, id),
	unique (workspace, number),
	foreign key (workspace, thread_id) references threads (workspace, id) on delete cascade
);
create index thread_messages_by_thread on thread_messages (workspace, thread_id, number);
create unique index thread_messages_by_run on thread_messages (workspace, run_id) where run_id is not null;
create index thread_messages_unfinished on thread_messages (workspace, thread_id, number) where ended_at is null;
`;
