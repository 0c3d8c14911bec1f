import { DEPLOYMENT_SCHEMA, WORKSPACE_SCHEMA } from "./connection/transaction-scope";
import { WORKSPACE_COLUMN, WORKSPACE_SETTING } from "./own-rows-plugin";

/** Condition on a row: a transaction that is for no workspace sees none. */
const OWN_ROWS = `${WORKSPACE_COLUMN} = current_setting('${WORKSPACE_SETTING}') and ${WORKSPACE_COLUMN} <> ''`;

/** Condition on a table of the catalog that its rows are not all protected. @param table - alias of `pg_class`. */
export const isUnprotectedSql = (table: string): string =>
	`not (${table}.relrowsecurity and ${table}.relforcerowsecurity
		and exists (select from pg_policy where polrelid = ${table}.oid and polname = 'own_rows'))`;

/**
 * Composes the statements that put each table of workspaces under row-level security, its owner too, and that give the
 * application's role what it needs. May run again at any time.
 */
export const protectTablesSql = (applicationRole: string): string => `
do $$
declare
	name text;
begin
	for name in
		select c.relname from pg_class c
		where c.relnamespace = '${WORKSPACE_SCHEMA}'::regnamespace and c.relkind in ('r', 'p')
			and ${isUnprotectedSql("c")}
	loop
		execute format('alter table ${WORKSPACE_SCHEMA}.%I enable row level security', name);
		execute format('alter table ${WORKSPACE_SCHEMA}.%I force row level security', name);
		execute format('drop policy if exists own_rows on ${WORKSPACE_SCHEMA}.%I', name);
		execute format($policy$create policy own_rows on ${WORKSPACE_SCHEMA}.%I using (${OWN_ROWS}) with check (${OWN_ROWS})$policy$, name);
	end loop;
end
$$;
${[DEPLOYMENT_SCHEMA, WORKSPACE_SCHEMA].map((schema) => grantsSql(schema, quoteName(applicationRole))).join("")}`;

const grantsSql = (schema: string, role: string): string => `
grant usage on schema ${schema} to ${role};
grant select, insert, update, delete on all tables in schema ${schema} to ${role};
grant usage, select, update on all sequences in schema ${schema} to ${role};
`;

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
