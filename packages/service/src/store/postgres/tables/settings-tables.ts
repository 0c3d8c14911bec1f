import { TEXT } from "./column-types";
import { WORKSPACE_COLUMN_SQL } from "./partitioned-table";

/** Tables of model settings and of the secrets that tools send. */
export const settingsTablesSql = `
create table llm_settings (
	${WORKSPACE_COLUMN_SQL},
	id bigint not null check (id = 1),
	provider ${TEXT} not null,
	base_url ${TEXT} not null,
	model ${TEXT} not null,
	api_key ${TEXT},
	created_at bigint not null,
	updated_at bigint not null,
	updated_by ${TEXT} not null,
	primary key (workspace, id)
);
create table workspace_secrets (
	${WORKSPACE_COLUMN_SQL},
	name ${TEXT} not null,
	server_url ${TEXT} not null,
	value ${TEXT} not null,
	created_at bigint not null,
	updated_at bigint not null,
	updated_by ${TEXT} not null,
	primary key (workspace, name)
);
`;
