import { isConnectionLost } from "./postgres-error";
import type { PostgresClient, PostgresPool, PostgresResult } from "./postgres-pool";

/** Connection of a pool while one user has it, for one transaction after another. */
export interface LeasedClient {
	readonly query: PostgresClient["query"];
	/**
	 * Begins a transaction, on another connection where this one turns out to be lost: nothing was done on it yet.
	 *
	 * @param send - sends its first statements right behind, without waiting; called again on another connection. Without
	 * its beginning, a statement finds no table.
	 */
	beginWith<Result>(begin: string, send: () => Promise<Result>): Promise<Result>;
	/** Ends the transaction. @returns what was done: Postgres rolls one back whose statement has failed, and calls that a success. */
	end(command: EndCommand): Promise<string>;
	/** Ends the transaction without waiting, as the end of reading needs not succeed. */
	endLater(command: EndCommand): void;
	/** Gives the connection back once the transaction has ended. One whose transaction may still be open is closed. */
	release(): void;
}

export type EndCommand = "commit" | "rollback";

/** Number of connections that are tried for one transaction: a server that has restarted has ended all that were idle. */
const MAX_CONNECTIONS = 5;

export function leaseClient(pool: PostgresPool, firstClient: PostgresClient): LeasedClient {
	let client = firstClient;
	let isUnusable = false;
	let isReleased = false;
	let ended: Promise<unknown> = Promise.resolve();

	async function replaceClient(): Promise<void> {
		client.release(true);
		isReleased = true;
		client = await pool.connect();
		isReleased = false;
	}
	async function end(command: EndCommand): Promise<string> {
		isUnusable = true;
		const { command: done } = await client.query(command);
		isUnusable = false;
		return done;
	}

	return {
		query: (sql, parameters): Promise<PostgresResult> => client.query(sql, parameters),
		async beginWith<Result>(begin: string, send: () => Promise<Result>): Promise<Result> {
			isUnusable = true;
			for (let connections = 1; ; connections++) {
				const [first, rest] = await Promise.allSettled(
					client.sendTogether((): [Promise<unknown>, Promise<Result>] => [client.query(begin), send()]),
				);
				if (first.status === "fulfilled") {
					isUnusable = false;
					if (rest.status === "rejected") throw rest.reason;
					return rest.value;
				}
				if (connections === MAX_CONNECTIONS || !isConnectionLost(first.reason)) throw first.reason;
				await replaceClient();
			}
		},
		end,
		endLater(command) {
			ended = end(command).catch(() => {
				isUnusable = true;
			});
		},
		release: () =>
			void ended.then(() => {
				if (!isReleased) client.release(isUnusable);
			}),
	};
}
