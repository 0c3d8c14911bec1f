import { ConfigurationError } from "@stemma/core/errors";
import type { PostgresClient } from "./connection/postgres-pool";

const MIN_VERSION = 15;

/**
 * Checks that a server and a role are what the service works with.
 *
 * @returns the name of the role.
 * @throws ConfigurationError `database_unsuitable`
 */
export async function assertServer({ query }: Pick<PostgresClient, "query">): Promise<string> {
	const { rows } = await query(
		`select current_user as role, current_setting('server_version') as version,
			current_setting('server_version_num')::integer as version_number,
			current_setting('server_encoding') as encoding, rolsuper or rolbypassrls as is_unbound
		from pg_roles where rolname = current_user`,
	);
	const [server] = rows;
	const role = String(server?.role);
	if (Number(server?.version_number) < MIN_VERSION * 10_000)
		throw unsuitableError(
			`The Postgres server has version ${server?.version}.`,
			`Use Postgres ${MIN_VERSION} or later.`,
		);
	if (server?.encoding !== "UTF8")
		throw unsuitableError(
			`The database stores text as ${server?.encoding}.`,
			"Create the database with the encoding UTF8.",
		);
	if (server.is_unbound === 1)
		throw unsuitableError(
			`Row-level security does not bind the role "${role}", as it is a superuser or has BYPASSRLS.`,
			"Name another role in database.url; docs/postgres.md has the statements that create it.",
		);
	return role;
}

/** Tells whether the extension `vector` is there; only a superuser creates it. */
export async function hasVectorSearch({ query }: Pick<PostgresClient, "query">): Promise<boolean> {
	const { rows } = await query("select 1 from pg_extension where extname = 'vector'");
	return rows.length > 0;
}

const unsuitableError = (message: string, hint: string): ConfigurationError =>
	new ConfigurationError(message, { code: "database_unsuitable", hint });
