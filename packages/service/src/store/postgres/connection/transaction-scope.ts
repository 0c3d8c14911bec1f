import { WORKSPACE_SETTING } from "../own-rows-plugin";

/** Schema of the tables that all workspaces share. */
export const DEPLOYMENT_SCHEMA = "stemma_deployment";

/** Schema of the workspaces' tables: one set for all of them. */
export const WORKSPACE_SCHEMA = "stemma";

/** Scope of a transaction: the tables of the deployment, or the rows of one workspace. */
export type TransactionScope =
	| { readonly schema: typeof DEPLOYMENT_SCHEMA }
	| {
			readonly schema: typeof WORKSPACE_SCHEMA;
			readonly workspaceId: string;
			/** Refuses to write where the workspace is deleted. Default false. */
			readonly mustExist?: boolean;
	  };

export type AccessMode = "read" | "write";

export type IsolationLevel = "read committed" | "repeatable read" | "serializable";

const STATEMENT_TIMEOUT_MS = 120_000;
const LOCK_TIMEOUT_MS = 10_000;
/** Time after which the server ends a reading transaction whose instance hangs. */
const IDLE_TIMEOUT_MS = 60_000;
/** Time after which it ends a writing one: less than others wait for its turn, which they get then. */
const WRITER_IDLE_TIMEOUT_MS = 8_000;

/**
 * Composes the statements that begin a transaction. All settings end with it, so that connections of a pooler may be
 * anybody's in between. Writers of one workspace take turns, also those of other instances: what a transaction has
 * read is still so when it writes, as on SQLite.
 */
export function toBeginSql(
	scope: TransactionScope,
	mode: AccessMode,
	isolation: IsolationLevel = "read committed",
): string {
	const settings = Object.entries(toSettings(scope, mode)).map(
		([name, value]) => `set local ${name} = ${value}`,
	);
	const access = mode === "read" ? "read only" : "read write";
	const begin = [`begin isolation level ${isolation} ${access}`, ...settings];
	if (mode === "read") return begin.join("; ");
	const lock = `select pg_advisory_xact_lock(hashtextextended(${quote(toLockName(scope))}, 0))`;
	// A statement of its own: it sees what was done by those that had the lock before.
	const checks =
		"mustExist" in scope && scope.mustExist ? [`select ${WORKSPACE_SCHEMA}.assert_workspace()`] : [];
	return [...begin, lock, ...checks].join("; ");
}

/** Settings as SQL; unlike `set_config`, nothing of it is planned. */
const toSettings = (scope: TransactionScope, mode: AccessMode): Readonly<Record<string, string>> => ({
	// The schemas that hold pgvector's type and operators.
	search_path: `${scope.schema}, public, extensions`,
	statement_timeout: String(STATEMENT_TIMEOUT_MS),
	lock_timeout: String(LOCK_TIMEOUT_MS),
	idle_in_transaction_session_timeout: String(mode === "read" ? IDLE_TIMEOUT_MS : WRITER_IDLE_TIMEOUT_MS),
	...("workspaceId" in scope && { [WORKSPACE_SETTING]: quote(scope.workspaceId) }),
});

const toLockName = (scope: TransactionScope): string =>
	"workspaceId" in scope ? `${scope.schema}:${scope.workspaceId}` : scope.schema;

/** Literal of a text that may hold quotes; Postgres reads backslashes in it as they are (`standard_conforming_strings`). */
const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;
