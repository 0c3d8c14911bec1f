import {
	type CompiledQuery,
	type DatabaseConnection,
	type Dialect,
	type Driver,
	PostgresAdapter,
	PostgresIntrospector,
	PostgresQueryCompiler,
	type QueryResult,
	type TransactionSettings,
} from "kysely";
import type { ConnectionLock } from "../../worker-threads/thread-dialect";
import { isConnectionLost } from "./postgres-error";
import type { PostgresClient, PostgresPool, PostgresResult } from "./postgres-pool";
import { toParameter } from "./postgres-values";
import { type AccessMode, type IsolationLevel, type TransactionScope, toBeginSql } from "./transaction-scope";

/** Options of the dialect for one scope and one access mode. */
export interface PostgresDialectOptions {
	readonly pool: PostgresPool;
	readonly scope: TransactionScope;
	readonly mode: AccessMode;
	/** Held while a connection is in use. */
	readonly lock: ConnectionLock;
}

/** Postgres for Kysely: every statement runs in a transaction that says whose it is, also one that is alone. */
export const createPostgresDialect = (options: PostgresDialectOptions): Dialect => ({
	createAdapter: () => new PostgresAdapter(),
	createDriver: () => createDriver(options),
	createIntrospector: (database) => new PostgresIntrospector(database),
	createQueryCompiler: () => new PostgresQueryCompiler(),
});

/** Connection that Kysely has acquired. */
interface AcquiredConnection extends DatabaseConnection {
	begin(isolation: IsolationLevel | undefined): Promise<void>;
	end(command: "commit" | "rollback"): Promise<void>;
	release(): void;
}

function createDriver(options: PostgresDialectOptions): Driver {
	const { pool, lock } = options;
	const acquired = new WeakMap<DatabaseConnection, AcquiredConnection>();
	function get(connection: DatabaseConnection): AcquiredConnection {
		const found = acquired.get(connection);
		if (found === undefined) throw new Error("The connection is another driver's.");
		return found;
	}
	return {
		init: async () => undefined,
		async acquireConnection() {
			await lock.acquire();
			try {
				const connection = createConnection(await pool.connect(), options);
				acquired.set(connection, connection);
				return connection;
			} catch (error) {
				lock.release();
				throw error;
			}
		},
		beginTransaction: (connection, settings) => get(connection).begin(toIsolationLevel(settings)),
		commitTransaction: (connection) => get(connection).end("commit"),
		rollbackTransaction: (connection) => get(connection).end("rollback"),
		async releaseConnection(connection) {
			get(connection).release();
			lock.release();
		},
		destroy: async () => undefined,
	};
}

function toIsolationLevel({ isolationLevel }: TransactionSettings): IsolationLevel | undefined {
	if (isolationLevel === "read uncommitted" || isolationLevel === "snapshot")
		throw new Error(`Transactions are not "${isolationLevel}" here.`);
	return isolationLevel;
}

/** Number of connections that are tried for one transaction: a server that has restarted has ended all that were idle. */
const MAX_CONNECTIONS = 5;

function createConnection(
	firstClient: PostgresClient,
	{ pool, scope, mode }: PostgresDialectOptions,
): AcquiredConnection {
	let client = firstClient;
	let isInTransaction = false;
	/** A connection whose transaction may still be open is closed, not given to others. */
	let isUnusable = false;
	let isReleased = false;
	let ended: Promise<void> = Promise.resolve();

	/** Begins a transaction, on another connection where this one turns out to be lost: nothing was done on it yet. */
	async function begin(isolation?: IsolationLevel): Promise<void> {
		isUnusable = true;
		for (let connections = 1; ; connections++)
			try {
				await client.query(toBeginSql(scope, mode, isolation));
				break;
			} catch (error) {
				if (connections === MAX_CONNECTIONS || !isConnectionLost(error)) throw error;
				client.release(true);
				isReleased = true;
				client = await pool.connect();
				isReleased = false;
			}
		isInTransaction = true;
		isUnusable = false;
	}
	async function end(command: "commit" | "rollback"): Promise<void> {
		isUnusable = true;
		const { command: done } = await client.query(command);
		isInTransaction = false;
		isUnusable = false;
		// Postgres rolls a transaction back whose statement has failed, and calls that a success.
		if (command === "commit" && done === "ROLLBACK") throw new Error("The transaction was rolled back.");
	}
	async function executeAlone({ sql, parameters }: CompiledQuery): Promise<PostgresResult> {
		try {
			await begin();
			const result = await client.query(sql, parameters.map(toParameter));
			ended = end("commit");
			// What was read does not depend on it.
			if (mode === "read") ended = ended.catch(() => undefined);
			else await ended;
			return result;
		} catch (error) {
			await end("rollback").catch(() => undefined);
			throw error;
		}
	}

	return {
		begin,
		end,
		release: () =>
			void ended
				.catch(() => undefined)
				.then(() => {
					if (!isReleased) client.release(isUnusable);
				}),
		async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
			const result = isInTransaction
				? await client.query(query.sql, query.parameters.map(toParameter))
				: await executeAlone(query);
			// The types of the tables say what these are.
			return toQueryResult(result) as QueryResult<Row>;
		},
		streamQuery: refuseStream,
	};
}

// biome-ignore lint/correctness/useYield: it only refuses
async function* refuseStream(): AsyncGenerator<never> {
	throw new Error("Rows are not streamed; ask for pages.");
}

const toQueryResult = ({ command, rowCount, rows }: PostgresResult): QueryResult<unknown> => ({
	rows: [...rows],
	...(command !== "SELECT" && { numAffectedRows: BigInt(rowCount ?? 0) }),
});
