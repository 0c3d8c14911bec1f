import { NUMBER, TEXT } from "./column-types";
import { WORKSPACE_COLUMN_SQL } from "./partitioned-table";

/** Tables of feedback, and of answers that can be rated. */
export const feedbackTablesSql = `
create table feedback (
	${WORKSPACE_COLUMN_SQL},
	${NUMBER},
	id ${TEXT} not null,
	subject ${TEXT} not null,
	sent_by ${TEXT} not null,
	agent_id ${TEXT},
	agent_slug ${TEXT},
	agent_version bigint,
	rating ${TEXT} not null,
	comment ${TEXT},
	tags ${TEXT} not null,
	created_at bigint not null,
	updated_at bigint not null,
	content ${TEXT} not null,
	limits ${TEXT},
	primary key (workspace, id),
	unique (workspace, number),
	unique (workspace, subject, sent_by)
);
create index feedback_by_sender on feedback (workspace, sent_by);
create table answers (
	${WORKSPACE_COLUMN_SQL},
	${NUMBER},
	id ${TEXT} not null,
	asked_by ${TEXT} not null,
	created_at bigint not null,
	content ${TEXT} not null,
	primary key (workspace, id),
	unique (workspace, number)
);
create index answers_by_caller on answers (workspace, asked_by, id);
`;
