import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { findPostgres, startPostgresServer } from "@stemma/simulators/postgres/postgres-server";

/** An empty database with the roles of a service and of its backups, on a server of its own. */
export interface InstancesDatabase {
	/** Variables of the environment that name it. */
	readonly environment: Readonly<Record<string, string>>;
	/** Creates another empty database. @returns the variables that name it. */
	createEmpty(name: string): Readonly<Record<string, string>>;
	/** Address of a database, as a role; `postgres` may all. */
	readonly toUrl: (role: string, database: string) => string;
	/** Ends the server without a warning, and starts it again. */
	restart(): Promise<void>;
	stop(): Promise<void>;
}

export const hasPostgres = findPostgres() !== undefined;

export async function startDatabase(): Promise<InstancesDatabase> {
	const bin = findPostgres() ?? "";
	const { toUrl, restart, stop } = await startPostgresServer(bin);
	const administer = (sql: string): unknown =>
		execFileSync(join(bin, "psql"), ["-q", toUrl("postgres", "postgres"), "-c", sql]);
	for (const sql of [
		"create role stemma_owner login",
		"create role stemma_app login",
		"create role stemma_backup login bypassrls",
		"grant pg_read_all_data to stemma_backup",
	])
		administer(sql);
	function createEmpty(name: string): Readonly<Record<string, string>> {
		administer(`create database ${name} owner stemma_owner`);
		return {
			STEMMA_DATABASE_URL: toUrl("stemma_app", name),
			STEMMA_DATABASE_OWNER_URL: toUrl("stemma_owner", name),
			STEMMA_DATABASE_BACKUP_URL: toUrl("stemma_backup", name),
		};
	}
	return { environment: createEmpty("stemma"), createEmpty, toUrl, restart, stop };
}
