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
import { type EndCommand, leaseClient } from "./leased-client";
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
	end(command: EndCommand): Promise<void>;
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

function createConnection(
	firstClient: PostgresClient,
	{ pool, scope, mode }: PostgresDialectOptions,
): AcquiredConnection {
	const client = leaseClient(pool, firstClient);
	let isInTransaction = false;
	let hasEnded = false;
	/** Statements that begin a transaction, which are sent with its first one. */
	let pendingBegin: string | undefined;

	async function begin(isolation?: IsolationLevel): Promise<void> {
		const statements = toBeginSql(scope, mode, isolation);
		// Only those of a writer wait: for its turn.
		if (mode === "write") await client.beginWith(statements, async () => undefined);
		else pendingBegin = statements;
		isInTransaction = true;
		hasEnded = false;
	}
	async function end(command: EndCommand): Promise<void> {
		const isPending = pendingBegin !== undefined;
		pendingBegin = undefined;
		isInTransaction = false;
		hasEnded = true;
		if (isPending) return;
		// What was read does not depend on it.
		if (mode === "read") return client.endLater(command);
		const done = await client.end(command);
		if (command === "commit" && done === "ROLLBACK") throw new Error("The transaction was rolled back.");
	}
	const send = ({ sql, parameters }: CompiledQuery): Promise<PostgresResult> =>
		client.query(sql, parameters.map(toParameter));
	function execute(query: CompiledQuery): Promise<PostgresResult> {
		if (pendingBegin === undefined) return send(query);
		const statements = pendingBegin;
		pendingBegin = undefined;
		return client.beginWith(statements, () => send(query));
	}
	/** Reads in a transaction of its own, all of which is sent at once. */
	const readAlone = (query: CompiledQuery): Promise<PostgresResult> =>
		client.beginWith(toBeginSql(scope, mode), () => {
			const result = send(query);
			client.endLater("commit");
			return result;
		});
	async function writeAlone(query: CompiledQuery): Promise<PostgresResult> {
		try {
			await begin();
			const result = await send(query);
			await end("commit");
			return result;
		} catch (error) {
			await end("rollback").catch(() => undefined);
			throw error;
		}
	}
	const executeAlone = mode === "read" ? readAlone : writeAlone;
	function executeUnlessEnded(query: CompiledQuery): Promise<PostgresResult> {
		// Of statements that are sent together one may fail, and the transaction ends before another goes on.
		if (hasEnded) throw new Error("The transaction has ended.");
		return isInTransaction ? execute(query) : executeAlone(query);
	}

	return {
		begin,
		end,
		release: client.release,
		executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> =>
			// The types of the tables say what these are.
			toQueryResult(await executeUnlessEnded(query)) as QueryResult<Row>,
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
