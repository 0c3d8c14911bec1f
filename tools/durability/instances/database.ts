import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { findPostgres, startPostgresServer } from "@stemma/simulators/postgres/postgres-server";

/** An empty database with the two roles of a service, on a server of its own. */
export interface InstancesDatabase {
	/** Variables of the environment that name it. */
	readonly environment: Readonly<Record<string, string>>;
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
	for (const sql of [
		"create role stemma_owner login",
		"create role stemma_app login",
		"create database stemma owner stemma_owner",
	])
		execFileSync(join(bin, "psql"), ["-q", toUrl("postgres", "postgres"), "-c", sql]);
	const environment = {
		STEMMA_DATABASE_URL: toUrl("stemma_app", "stemma"),
		STEMMA_DATABASE_OWNER_URL: toUrl("stemma_owner", "stemma"),
	};
	return { environment, toUrl, restart, stop };
}
