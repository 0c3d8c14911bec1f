import { ConfigurationError } from "@stemma/core/errors";
import type { PostgresSession } from "../connection/postgres-pool";
import { SCHEMAS } from "./database-contents";

/** The schemas of Stemma, and all tables, views and sequences that neither Postgres nor an extension has made. */
const FIND_CONTENT = `
select 'the schema ' || quote_ident(nspname) as content from pg_namespace
where nspname in (${SCHEMAS.map((schema) => `'${schema}'`).join(", ")})
union all
select 'the table ' || format('%I.%I', n.nspname, c.relname)
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
	and not exists (
		select from pg_depend d
		where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
	)
limit 1`;

/** @throws ConfigurationError `database_not_empty` */
export async function assertEmptyDatabase({ query }: Pick<PostgresSession, "query">): Promise<void> {
	const { rows } = await query(FIND_CONTENT);
	if (rows[0] === undefined) return;
	throw new ConfigurationError(`The database is not empty: it has ${rows[0].content}.`, {
		code: "database_not_empty",
		hint: "Create an empty database, as docs/postgres.md#keep-it says, and name it in database.url and database.owner_url. Nothing was changed.",
	});
}
