import type { PostgresSession } from "../connection/postgres-pool";
import { DEPLOYMENT_SCHEMA, WORKSPACE_SCHEMA } from "../connection/transaction-scope";
import { type DatabaseVersion, readDatabaseVersion } from "../migrations/database-version";

type Session = Pick<PostgresSession, "query">;

/** Schemas that have all of a deployment. */
export const SCHEMAS = [WORKSPACE_SCHEMA, DEPLOYMENT_SCHEMA] as const;

const IN_SCHEMAS = `in (${SCHEMAS.map((schema) => `'${schema}'`).join(", ")})`;

/** Content of a database, by which a copy of it is compared. */
export interface DatabaseContents {
	readonly version: DatabaseVersion;
	/** Number of rows by schema and table. */
	readonly tables: Readonly<Record<string, number>>;
}

/** Lists the tables of a deployment as SQL names them; partitions belong to their table. */
export async function listTables({ query }: Session): Promise<readonly string[]> {
	const { rows } = await query(
		`select format('%I.%I', n.nspname, c.relname) as name
		from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where n.nspname ${IN_SCHEMAS} and c.relkind in ('r', 'p') and not c.relispartition
		order by n.nspname, c.relname`,
	);
	return rows.map(({ name }) => String(name));
}

/**
 * Reads what is in a database, in the transaction of the session.
 *
 * @throws StorageError where row-level security hides rows from the role.
 */
export async function readContents(session: Session): Promise<DatabaseContents> {
	const tables: Record<string, number> = {};
	for (const name of await listTables(session)) {
		const { rows } = await session.query(`select count(*) as rows from ${name}`);
		tables[name] = Number(rows[0]?.rows);
	}
	return { version: await readDatabaseVersion(session), tables };
}

/** Finds the schema of the extension `vector` where tables use its type. */
export async function findUsedVectorSchema({ query }: Session): Promise<string | undefined> {
	const { rows } = await query(
		`select type_schema.nspname as name
		from pg_attribute a
			join pg_class c on c.oid = a.attrelid
			join pg_namespace table_schema on table_schema.oid = c.relnamespace
			join pg_type t on t.oid = a.atttypid
			join pg_namespace type_schema on type_schema.oid = t.typnamespace
		where table_schema.nspname ${IN_SCHEMAS} and c.relkind in ('r', 'p') and t.typname = 'vector' limit 1`,
	);
	return rows[0] === undefined ? undefined : String(rows[0].name);
}

/** Version of a server, such as `15.14`, and its first number. */
export interface ServerVersion {
	readonly text: string;
	readonly major: number;
}

export async function readServerVersion({ query }: Session): Promise<ServerVersion> {
	const { rows } = await query(
		"select split_part(current_setting('server_version'), ' ', 1) as text, current_setting('server_version_num')::integer / 10000 as major",
	);
	return { text: String(rows[0]?.text), major: Number(rows[0]?.major) };
}
