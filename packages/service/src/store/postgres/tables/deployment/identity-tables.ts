import { WORKSPACE_DELETED } from "../../connection/postgres-error";
import { WORKSPACE_COLUMN_SQL } from "../partitioned-table";

/**
 * Marks of the workspaces that were created: one that is known and has none was lost. Writers look at their mark first, so that
 * an instance creates nothing again of a workspace that another one has deleted.
 */
export const identityTablesSql = `
create table workspace_identity (
	${WORKSPACE_COLUMN_SQL},
	id text collate "C" not null,
	primary key (workspace)
);

create function assert_workspace() returns void language plpgsql as $$
begin
	if not exists (
		select from stemma.workspace_identity where workspace = current_setting('stemma.workspace')
	) then
		raise exception 'the workspace was deleted' using errcode = '${WORKSPACE_DELETED}';
	end if;
end
$$;
`;
