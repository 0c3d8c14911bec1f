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
	/** Statements that begin a transaction, which are sent with its first one. */
	let pendingBegin: string | undefined;
	/** A connection whose transaction may still be open is closed, not given to others. */
	let isUnusable = false;
	let isReleased = false;
	let ended: Promise<void> = Promise.resolve();

	/**
	 * Begins a transaction, on another connection where this one turns out to be lost: nothing was done on it yet.
	 *
	 * @param send - sends its first statement right behind, without waiting.
	 */
	async function beginWith<Result>(begin: string, send: () => Promise<Result>): Promise<Result> {
		isUnusable = true;
		for (let connections = 1; ; connections++) {
			const [begun, sent] = await Promise.allSettled(
				client.sendTogether((): [Promise<unknown>, Promise<Result>] => [client.query(begin), send()]),
			);
			if (begun.status === "rejected") {
				if (connections === MAX_CONNECTIONS || !isConnectionLost(begun.reason)) throw begun.reason;
				client.release(true);
				isReleased = true;
				client = await pool.connect();
				isReleased = false;
				continue;
			}
			isUnusable = false;
			if (sent.status === "rejected") throw sent.reason;
			return sent.value;
		}
	}
	async function begin(isolation?: IsolationLevel): Promise<void> {
		const statements = toBeginSql(scope, mode, isolation);
		// Only those of a writer wait: for its turn.
		if (mode === "write") await beginWith(statements, async () => undefined);
		else pendingBegin = statements;
		isInTransaction = true;
	}
	/** @returns what was done: Postgres rolls a transaction back whose statement has failed, and calls that a success. */
	async function sendEnd(command: "commit" | "rollback"): Promise<string> {
		isUnusable = true;
		const { command: done } = await client.query(command);
		isUnusable = false;
		return done;
	}
	/** Ends a transaction that has read: what was read does not depend on it. */
	function endReading(command: "commit" | "rollback"): void {
		ended = sendEnd(command).then(
			() => undefined,
			() => {
				isUnusable = true;
			},
		);
	}
	async function end(command: "commit" | "rollback"): Promise<void> {
		if (mode === "read") {
			isInTransaction = false;
			if (pendingBegin === undefined) endReading(command);
			pendingBegin = undefined;
			return;
		}
		const done = await sendEnd(command);
		isInTransaction = false;
		if (command === "commit" && done === "ROLLBACK") throw new Error("The transaction was rolled back.");
	}
	const send = ({ sql, parameters }: CompiledQuery): Promise<PostgresResult> =>
		client.query(sql, parameters.map(toParameter));
	function execute(query: CompiledQuery): Promise<PostgresResult> {
		if (pendingBegin === undefined) return send(query);
		const statements = pendingBegin;
		pendingBegin = undefined;
		return beginWith(statements, () => send(query));
	}
	/** Reads in a transaction of its own, all of which is sent at once. */
	const readAlone = (query: CompiledQuery): Promise<PostgresResult> =>
		beginWith(toBeginSql(scope, mode), () => {
			const result = send(query);
			endReading("commit");
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
			const result = await (isInTransaction ? execute(query) : executeAlone(query));
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
