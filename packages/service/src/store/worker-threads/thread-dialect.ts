import type { Semaphore } from "@stemma/core/internal";
import {
	type CompiledQuery,
	type DatabaseConnection,
	type Dialect,
	type Driver,
	type QueryResult,
	SqliteAdapter,
	SqliteIntrospector,
	SqliteQueryCompiler,
} from "kysely";
import type { ExecuteResult, SqlValue } from "./thread-protocol";

/** Runs one statement somewhere else. */
export type Execute = (sql: string, parameters: readonly SqlValue[]) => Promise<ExecuteResult>;

/** Lock that only one holds at a time, where several share a connection: a semaphore of one. */
export type ConnectionLock = Pick<Semaphore, "acquire" | "release">;

/** Lock that never waits. */
export const noLock: ConnectionLock = { acquire: () => Promise.resolve(), release: () => undefined };

/** SQLite for Kysely, in this thread or another. */
export function createThreadDialect(execute: Execute, connectionLock: ConnectionLock): Dialect {
	return {
		createAdapter: () => new SqliteAdapter(),
		createDriver: () => createDriver(createConnection(execute), connectionLock),
		createIntrospector: (database) => new SqliteIntrospector(database),
		createQueryCompiler: () => new SqliteQueryCompiler(),
	};
}

function createDriver(connection: DatabaseConnection, connectionLock: ConnectionLock): Driver {
	const run = (sql: string): Promise<void> => connection.executeQuery(raw(sql)).then(() => undefined);
	return {
		init: async () => undefined,
		async acquireConnection() {
			await connectionLock.acquire();
			return connection;
		},
		beginTransaction: () => run("BEGIN IMMEDIATE"),
		commitTransaction: () => run("COMMIT"),
		rollbackTransaction: () => run("ROLLBACK"),
		releaseConnection: async () => connectionLock.release(),
		destroy: async () => undefined,
	};
}

function createConnection(execute: Execute): DatabaseConnection {
	return {
		async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
			// The types of the tables say what these are.
			const { rows, changes, insertId } = await execute(sql, parameters as readonly SqlValue[]);
			return {
				rows: rows as unknown as Row[],
				numAffectedRows: BigInt(changes),
				...(insertId === undefined ? {} : { insertId }),
			};
		},
		// biome-ignore lint/correctness/useYield: it only refuses
		async *streamQuery() {
			throw new Error("Rows are not streamed; ask for pages.");
		},
	};
}

const raw = (sql: string): CompiledQuery => ({
	sql,
	parameters: [],
	query: { kind: "RawNode", sqlFragments: [sql], parameters: [] },
	queryId: { queryId: sql },
});
