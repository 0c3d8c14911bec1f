import { WORKSPACE_SETTING } from "../own-rows-plugin";

/** Schema of the tables that all workspaces share. */
export const DEPLOYMENT_SCHEMA = "stemma_deployment";

/** Schema of the workspaces' tables: one set for all of them. */
export const WORKSPACE_SCHEMA = "stemma";

/** Scope of a transaction: the tables of the deployment, or the rows of one workspace. */
export type TransactionScope =
	| { readonly schema: typeof DEPLOYMENT_SCHEMA }
	| { readonly schema: typeof WORKSPACE_SCHEMA; readonly workspaceId: string };

export type AccessMode = "read" | "write";

export type IsolationLevel = "read committed" | "repeatable read" | "serializable";

const STATEMENT_TIMEOUT_MS = 120_000;
const LOCK_TIMEOUT_MS = 10_000;
/** Time after which the server ends a transaction whose instance hangs. */
const IDLE_TIMEOUT_MS = 60_000;

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
	const settings = Object.entries(toSettings(scope)).map(([name, value]) => `set local ${name} = ${value}`);
	const access = mode === "read" ? "read only" : "read write";
	const begin = [`begin isolation level ${isolation} ${access}`, ...settings].join("; ");
	return mode === "read"
		? begin
		: `${begin}; select pg_advisory_xact_lock(hashtextextended(${quote(toLockName(scope))}, 0))`;
}

/** Settings as SQL; unlike `set_config`, nothing of it is planned. */
const toSettings = (scope: TransactionScope): Readonly<Record<string, string>> => ({
	// The schemas that hold pgvector's type and operators.
	search_path: `${scope.schema}, public, extensions`,
	statement_timeout: String(STATEMENT_TIMEOUT_MS),
	lock_timeout: String(LOCK_TIMEOUT_MS),
	idle_in_transaction_session_timeout: String(IDLE_TIMEOUT_MS),
	...("workspaceId" in scope && { [WORKSPACE_SETTING]: quote(scope.workspaceId) }),
});

const toLockName = (scope: TransactionScope): string =>
	"workspaceId" in scope ? `${scope.schema}:${scope.workspaceId}` : scope.schema;

/** Literal of a text that may hold quotes; Postgres reads backslashes in it as they are (`standard_conforming_strings`). */
const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;
