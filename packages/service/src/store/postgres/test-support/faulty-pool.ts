import { StorageError } from "../../storage-error";
import type { PostgresClient, PostgresPool } from "../connection/postgres-pool";

/** What happens to a statement: the server is lost before it is sent, or before its result arrives. Undefined: nothing. */
export type StatementFault = "not_sent" | "unconfirmed" | undefined;

/** Pool whose statements fail where a test says so. */
export interface FaultyPool extends PostgresPool {
	/** Sets which statements fail. Default: none. */
	faultOf: (sql: string) => StatementFault;
}

/** Wraps a pool, whose connections others may use, too. */
export function createFaultyPool(pool: PostgresPool): FaultyPool {
	const faulty: FaultyPool = {
		size: pool.size,
		faultOf: () => undefined,
		async connect() {
			const client = await pool.connect();
			return { ...client, query: (sql, parameters) => query(client, faulty.faultOf(sql), sql, parameters) };
		},
		readState: pool.readState,
		end: () => pool.end(),
	};
	return faulty;
}

async function query(
	client: PostgresClient,
	fault: StatementFault,
	...statement: Parameters<PostgresClient["query"]>
): ReturnType<PostgresClient["query"]> {
	if (fault === "not_sent") throw serverLost();
	const result = await client.query(...statement);
	if (fault === "unconfirmed") throw serverLost();
	return result;
}

const serverLost = (): StorageError =>
	new StorageError("The server was lost.", { code: "storage_unavailable", hint: "Try again." });
