import { TEXT } from "./column-types";
import { WORKSPACE_COLUMN_SQL } from "./partitioned-table";

/** Table of the audit logs of workspaces. */
export const auditTablesSql = `
create table audit (
	${WORKSPACE_COLUMN_SQL},
	id ${TEXT} not null,
	created_at bigint not null,
	action ${TEXT} not null,
	actor ${TEXT} not null,
	target ${TEXT} not null,
	details ${TEXT} not null,
	request_id ${TEXT},
	primary key (workspace, id)
);
create index audit_by_action on audit (workspace, action, id);
`;
