import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, inject } from "vitest";
import { createId } from "../../../create-id";
import type { Database } from "../../database";
import type { WorkspaceTables } from "../../workspace-tables";
import { openPostgresPool, openPostgresSession, type PostgresPool } from "../connection/postgres-pool";
import { createPostgresDatabase } from "../postgres-database";
import { APPLICATION, OWNER, TEMPLATE, type TestServer } from "./test-server";

/** A database of a test file's own, migrated and empty. */
export interface TestDatabase {
	/** Connections of the application's role. */
	readonly pool: PostgresPool;
	/** URL for the application's role, the owner of the tables, or the superuser. */
	toUrl(role: typeof APPLICATION | typeof OWNER | "postgres"): string;
	/** Opens a workspace that no test had before. */
	openWorkspace(): Database<WorkspaceTables>;
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
	const server = inject("postgres");
	const skipReason = findSkipReason(server, needsVectors);
	describe.skipIf(skipReason !== undefined)(`${name} on Postgres${skipReason ?? ""}`, () => {
		const databaseName = `test_${randomUUID().replaceAll("-", "")}`;
		const toUrl = (role: string, database = databaseName): string =>
			(server.isRunning ? server.url : "").replace("ROLE", role).replace("DATABASE", database);
		let opened: PostgresPool | undefined;
		function getPool(): PostgresPool {
			if (opened === undefined) throw new Error("The database is there within tests and hooks alone.");
			return opened;
		}
		/** Only the server's superuser creates and drops databases. */
		const administer = async (sql: string): Promise<void> => {
			const session = await openPostgresSession(toUrl("postgres", "postgres"));
			await session.query(sql);
			await session.close();
		};
		beforeAll(async () => {
			await administer(`create database ${databaseName} template ${TEMPLATE} owner ${OWNER}`);
			opened = await openPostgresPool(toUrl(APPLICATION));
		});
		afterAll(async () => {
			await opened?.end();
			await administer(`drop database if exists ${databaseName} with (force)`);
		});
		suite({
			get pool() {
				return getPool();
			},
			toUrl: (role) => toUrl(role),
			openWorkspace: () => createPostgresDatabase(getPool(), createId("ws")),
		});
	});
}

function findSkipReason(server: TestServer, needsVectors: boolean): string | undefined {
	if (!server.isRunning) return ` (${server.reason})`;
	return needsVectors && !server.hasVectors ? " (skipped: pgvector is not installed here)" : undefined;
}
