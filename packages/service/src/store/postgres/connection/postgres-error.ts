import { ConstraintError, StorageError } from "../../storage-error";

const SERIALIZATION_FAILURE = "40001";
const DEADLOCK = "40P01";
const LOCK_NOT_AVAILABLE = "55P03";

const CONSTRAINT_CLASS = "23";
const DAMAGED = ["XX001", "XX002"];
const DISK_FULL = "53100";

/** Code of the database's own error where a workspace is written to that was deleted. */
export const WORKSPACE_DELETED = "ST001";

/** Codes and classes of a server that cannot do it now: connections, resources, locks, timeouts, shutdown, a read-only replica. */
const UNAVAILABLE = ["08", "53", LOCK_NOT_AVAILABLE, "57", "58", "25006", SERIALIZATION_FAILURE, DEADLOCK];

/** Codes and classes of a role or database that is not set up for this. */
const NOT_SET_UP = ["28", "3D000", "42501"];

/** An error of Node on the way to the server, such as `ECONNREFUSED`, or of `pg` while it waits for a connection. */
const CONNECTION_ERROR =
	/^E[A-Z]+$|timeout exceeded|Connection terminated|connection is closed|not queryable|Cannot use a pool after/;

/**
 * Converts an error of `pg` to the one that the same fault has on SQLite: `ConstraintError`, or a `StorageError` with
 * `storage_full`, `storage_unavailable` or `storage_corrupt`. Other errors keep their message.
 *
 * @see https://www.postgresql.org/docs/15/errcodes-appendix.html
 */
export function toPostgresError(cause: unknown): Error {
	if (!(cause instanceof Error)) return new Error(String(cause));
	const code = readCode(cause);
	if (code.startsWith(CONSTRAINT_CLASS)) return new ConstraintError(cause.message, { cause });
	if (code === WORKSPACE_DELETED)
		return new StorageError("The workspace was deleted.", {
			code: "storage_unavailable",
			hint: "Another instance of the service has deleted it.",
			cause,
		});
	if (code === DISK_FULL)
		return new StorageError("The disk that holds the database is full.", {
			code: "storage_full",
			hint: "Nothing was lost. Free some space on the disk of the Postgres server, then try again.",
			cause,
		});
	if (DAMAGED.includes(code))
		return new StorageError(`The database is damaged: ${cause.message}.`, {
			code: "storage_corrupt",
			hint: "Look into the log of the Postgres server, and restore the database from a backup.",
			cause,
		});
	if (NOT_SET_UP.some((start) => code.startsWith(start)))
		return new StorageError(`The database refuses: ${cause.message}.`, {
			code: "storage_unavailable",
			hint: "Check database.url, and the roles and rights that docs/postgres.md lists.",
			cause,
		});
	if (UNAVAILABLE.some((start) => code.startsWith(start)) || isConnectionError(cause, code))
		return new StorageError(`The database cannot be used now: ${cause.message}.`, {
			code: "storage_unavailable",
			hint: "Nothing was lost. Check that the Postgres server runs and can be reached, then try again.",
			cause,
		});
	return new Error(cause.message, { cause });
}

const isConnectionError = (error: Error, code: string): boolean =>
	CONNECTION_ERROR.test(code) || CONNECTION_ERROR.test(error.message);

const readCode = (error: unknown): string =>
	error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** Classes and codes of a connection that the server has ended, or that broke. */
const CONNECTION_LOST = ["08", "57P01", "57P02", "57P03"];

/** Tells whether a statement failed because its connection was lost. */
export function isConnectionLost(error: unknown): boolean {
	const cause = error instanceof Error ? error.cause : undefined;
	if (!(cause instanceof Error)) return false;
	const code = readCode(cause);
	return CONNECTION_LOST.some((start) => code.startsWith(start)) || isConnectionError(cause, code);
}

/** Tells whether a transaction failed for the sake of another one, and succeeds when it is tried again. */
export function isRetryable(error: unknown): boolean {
	const code = error instanceof Error ? readCode(error.cause) : "";
	return code === SERIALIZATION_FAILURE || code === DEADLOCK;
}

/** Tells whether a change of tables failed as others used them for too long. */
export function isLockUnavailable(error: unknown): boolean {
	const code = error instanceof Error ? readCode(error.cause) : "";
	return code === LOCK_NOT_AVAILABLE || isRetryable(error);
}
