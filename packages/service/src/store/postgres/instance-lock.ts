import { ConfigurationError } from "@stemma/core/errors";
import { sleep } from "@stemma/core/internal";
import { openPostgresSession, type PostgresSession } from "./connection/postgres-pool";

/** Keeps a second instance out of a database. The server lets go of it when the connection ends. */
export interface InstanceLock {
	release(): Promise<void>;
}

const TRY_LOCK = "select pg_try_advisory_lock(hashtextextended('stemma:instance', 0)) as is_held";

const IS_HELD = `
select exists (
	select from pg_locks, hashtextextended('stemma:instance', 0) as key
	where locktype = 'advisory' and granted
		and database = (select oid from pg_database where datname = current_database())
		and classid::bigint = (key >> 32) & 4294967295 and objid::bigint = key & 4294967295
) as is_held`;

/** Tells whether an instance has the lock of the database. */
export async function isInstanceLockHeld({ query }: Pick<PostgresSession, "query">): Promise<boolean> {
	const { rows } = await query(IS_HELD);
	return rows[0]?.is_held === 1;
}

const RETRY_MS = 1_000;

/**
 * Holds the lock of a database on a connection of its own. Where the connection is lost, it is taken again as soon as the
 * server can be reached.
 *
 * @param onTaken - called where another instance has the lock by then. Default: the process ends, as both would do the same
 * work.
 * @throws ConfigurationError `database_in_use` while another instance has it; StorageError where there is no connection.
 */
export async function holdInstanceLock(url: string, onTaken: () => void = endProcess): Promise<InstanceLock> {
	let isReleased = false;
	let session = await lock(url);
	if (session === undefined) throw inUseError();

	async function lockAgain(): Promise<void> {
		while (!isReleased)
			try {
				const again = await lock(url);
				if (again === undefined) return onTaken();
				if (isReleased) return await again.close();
				return hold(again);
			} catch {
				await sleep(RETRY_MS);
			}
	}
	function hold(held: PostgresSession): void {
		session = held;
		held.onEnd(() => {
			if (!isReleased) void lockAgain();
		});
	}
	hold(session);
	return {
		async release() {
			isReleased = true;
			await session?.close();
		},
	};
}

/** @returns `undefined` where another instance has the lock. */
async function lock(url: string): Promise<PostgresSession | undefined> {
	const session = await openPostgresSession(url);
	const { rows } = await session.query(TRY_LOCK);
	if (rows[0]?.is_held === 1) return session;
	await session.close();
	return undefined;
}

const inUseError = (): ConfigurationError =>
	new ConfigurationError("The database is in use by another instance.", {
		code: "database_in_use",
		hint: "Stop that instance, or give this one a database of its own: one instance serves a database for now.",
	});

function endProcess(): void {
	queueMicrotask(() => {
		throw inUseError();
	});
}
