import { afterAll, beforeAll, describe, inject } from "vitest";
import { createId } from "../../../create-id";
import type { Database } from "../../database";
import type { WorkspaceTables } from "../../workspace-tables";
import { openPostgresPool, openPostgresSession, type PostgresPool } from "../connection/postgres-pool";
import { DEPLOYMENT_SCHEMA } from "../connection/transaction-scope";
import {
	createPostgresDatabase,
	createPostgresDeployment,
	type PostgresDeployment,
} from "../postgres-database";
import { nameDatabase } from "./create-database";
import { APPLICATION, OWNER, type TestServer } from "./test-server";

/** A database of a test file's own, migrated and empty. */
export interface TestDatabase {
	/** Connections of the application's role. */
	readonly pool: PostgresPool;
	/** URL for the application's role, the owner of the tables, or the superuser. */
	toUrl(role: typeof APPLICATION | typeof OWNER | "postgres"): string;
	/** Opens a workspace. @param id - default: one that no test had before. */
	openWorkspace(id?: string): Database<WorkspaceTables>;
	/** Empties the tables of the deployment, of which a database has one set, and opens them. */
	openDeployment(): PostgresDeployment;
}

export interface DescribeOptions {
	/** Skips the tests where pgvector is missing. Default false. */
	readonly needsVectors?: boolean;
}

/**
 * Describes tests on a Postgres database of their own; they are skipped where there is no Postgres.
 *
 * @param suite - defines the tests; the database may be used within them and within hooks.
 */
export function describeOnPostgres(
	name: string,
	suite: (database: TestDatabase) => void,
	{ needsVectors = false }: DescribeOptions = {},
): void {
	const server = inject("postgres") ?? NOT_STARTED;
	const skipReason = findSkipReason(server, needsVectors);
	describe.skipIf(skipReason !== undefined)(`${name} on Postgres${skipReason ?? ""}`, () => {
		const { toUrl, create, drop } = nameDatabase(server);
		let opened: PostgresPool | undefined;
		function getPool(): PostgresPool {
			if (opened === undefined) throw new Error("The database is there within tests and hooks alone.");
			return opened;
		}
		beforeAll(async () => {
			await create();
			opened = await openPostgresPool(toUrl(APPLICATION));
		});
		afterAll(async () => {
			await opened?.end();
			await drop();
		});
		suite({
			get pool() {
				return getPool();
			},
			toUrl: (role) => toUrl(role),
			openWorkspace: (id = createId("ws")) => createPostgresDatabase(getPool(), id),
			openDeployment: () => createPostgresDeployment(openAfter(emptyDeployment(toUrl(OWNER)), getPool())),
		});
	});
}

const NOT_STARTED: TestServer = { isRunning: false, reason: "skipped: this project starts no Postgres" };

function findSkipReason(server: TestServer, needsVectors: boolean): string | undefined {
	if (!server.isRunning) return ` (${server.reason})`;
	return needsVectors && !server.hasVectors ? " (skipped: pgvector is not installed here)" : undefined;
}

/** Pool that connects once something else was done: tests open their stores without waiting. */
const openAfter = (done: Promise<void>, pool: PostgresPool): PostgresPool => ({
	...pool,
	async connect() {
		await done;
		return pool.connect();
	},
});

const LIST_TABLES = `
select string_agg(format('${DEPLOYMENT_SCHEMA}.%I', tablename), ', ') as tables
from pg_tables where schemaname = '${DEPLOYMENT_SCHEMA}' and tablename not in ('migrations', 'compatible_migrations')`;

async function emptyDeployment(ownerUrl: string): Promise<void> {
	const owner = await openPostgresSession(ownerUrl);
	const { rows } = await owner.query(LIST_TABLES);
	await owner.query(`truncate ${rows[0]?.tables}`);
	await owner.close();
}
