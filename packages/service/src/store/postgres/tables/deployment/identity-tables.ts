import { WORKSPACE_COLUMN_SQL } from "../partitioned-table";

/** Marks of the workspaces that were created: one that is known and has none was lost. */
export const identityTablesSql = `
create table workspace_identity (
	${WORKSPACE_COLUMN_SQL},
	id text collate "C" not null,
	primary key (workspace)
);
`;
