import type { Writable } from "node:stream";
import type { Client, ClientConfig, PoolConfig } from "pg";
import type { PoolState } from "../../../telemetry/database-connections";
import { toPostgresError } from "./postgres-error";
import { getValueParser } from "./postgres-values";

/** Result of one statement. */
export interface PostgresResult {
	/** First word of what was done, such as `INSERT`. */
	readonly command: string;
	readonly rowCount: number | null;
	readonly rows: readonly Record<string, unknown>[];
}

/** A connection that one user has. */
export interface PostgresClient {
	/** Sends a statement at once, also while the ones before are still running. */
	query(sql: string, parameters?: readonly unknown[]): Promise<PostgresResult>;
	/** Sends the statements that a function starts as one piece: each on its own would wake the server. */
	sendTogether<Result>(start: () => Result): Result;
	/** @param isUnusable - closes the connection instead of keeping it. Default false. */
	release(isUnusable?: boolean): void;
}

/** Connections to one database, with one role. */
export interface PostgresPool {
	/** Maximum number of connections. */
	readonly size: number;
	/** Waits for a connection that nobody uses. @throws StorageError `storage_unavailable` where there is none in time. */
	connect(): Promise<PostgresClient>;
	readState(): PoolState;
	/** Closes all connections once they are released. */
	end(): Promise<void>;
}

/** A connection of its own, for what belongs to a session: locks and notifications. */
export interface PostgresSession {
	query(sql: string, parameters?: readonly unknown[]): Promise<PostgresResult>;
	/** Calls a function once when the connection ends, also after `close`. */
	onEnd(listener: () => void): void;
	/** Aborts when the connection has ended. */
	readonly ended: AbortSignal;
	/** Calls a function with the payload of each notification of a channel that it listens to. */
	onNotification(listener: (payload: string) => void): void;
	close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_MS = 60_000;

/** Options of all connections. Time limits are set by each transaction: poolers take no settings of a session. */
const toConfig = (url: string): ClientConfig => ({
	connectionString: url,
	application_name: "stemma",
	connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
	keepAlive: true,
	types: { getTypeParser: getValueParser },
});

/** Default of the connections of an instance. */
export const DEFAULT_POOL_SIZE = 20;

/**
 * Opens a pool; it connects when it is asked to. Loads `pg`, which services on SQLite do without.
 *
 * @param url - `postgres://role:password@host/database`
 */
export async function openPostgresPool(url: string, size = DEFAULT_POOL_SIZE): Promise<PostgresPool> {
	const { Pool } = await import("pg");
	const config: PoolConfig = { ...toConfig(url), max: size, idleTimeoutMillis: IDLE_MS, pipeline: true };
	const pool = new Pool(config);
	// A connection that breaks while it is idle is replaced; one that is in use fails its statement.
	pool.on("error", ignore);
	pool.on("connect", (client) => client.on("error", ignore));
	return {
		size,
		async connect() {
			const client = await pool.connect().catch((error: unknown) => {
				throw toPostgresError(error);
			});
			return {
				query: (sql, parameters) => query(client, sql, parameters),
				sendTogether: (start) => sendTogether(client.connection.stream, start),
				release: (b) => client.release(b),
			};
		},
		readState: () => ({
			connectionsInUse: pool.totalCount - pool.idleCount,
			connectionsIdle: pool.idleCount,
			connectionsAwaited: pool.waitingCount,
		}),
		end: () => pool.end(),
	};
}

/** Opens a connection of its own. @throws StorageError `storage_unavailable` */
export async function openPostgresSession(url: string): Promise<PostgresSession> {
	const { Client } = await import("pg");
	const client = new Client(toConfig(url));
	client.on("error", ignore);
	const ended = new AbortController();
	client.once("end", () => ended.abort());
	await client.connect().catch((error: unknown) => {
		throw toPostgresError(error);
	});
	return {
		query: (sql, parameters) => query(client, sql, parameters),
		onEnd: (listener) => void client.once("end", listener),
		ended: ended.signal,
		onNotification: (listener) =>
			void client.on("notification", ({ payload }) => {
				if (payload !== undefined) listener(payload);
			}),
		close: () => client.end(),
	};
}

function sendTogether<Result>(stream: Writable, start: () => Result): Result {
	stream.cork();
	try {
		return start();
	} finally {
		stream.uncork();
	}
}

const ignore = (): void => undefined;

/** Runs one statement; several without parameters, of which the last one's result counts. @throws see `toPostgresError` */
async function query(
	client: Pick<Client, "query">,
	sql: string,
	parameters?: readonly unknown[],
): Promise<PostgresResult> {
	try {
		const result: PostgresResult | readonly PostgresResult[] = await (parameters === undefined
			? client.query(sql)
			: client.query(sql, [...parameters]));
		return Array.isArray(result) ? result.at(-1) : result;
	} catch (error) {
		throw toPostgresError(error);
	}
}
