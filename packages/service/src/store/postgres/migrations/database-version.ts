import type { PostgresSession } from "../connection/postgres-pool";
import { DEPLOYMENT_SCHEMA } from "../connection/transaction-scope";

/** Version of a database: the numbers of migration steps, from 1. */
export interface DatabaseVersion {
	/** Last step that was applied; 0 for a database without tables. */
	readonly applied: number;
	/** Last step that a version of Stemma must know to serve the database: the later ones only added to it. */
	readonly required: number;
}

/** Table of steps that a version must know; versions from before the other table read this one alone. */
const REQUIRED = `${DEPLOYMENT_SCHEMA}.migrations`;
/** Table of the steps that were applied and are not required. */
const COMPATIBLE = `${DEPLOYMENT_SCHEMA}.compatible_migrations`;

/** Creates the tables of steps, where they are missing. */
export const migrationTablesSql = [REQUIRED, COMPATIBLE]
	.map(
		(table) =>
			`create table if not exists ${table} (version integer primary key, applied_at timestamptz not null default now());`,
	)
	.join("\n");

const EXISTING = `select to_regclass('${REQUIRED}') as required, to_regclass('${COMPATIBLE}') as compatible`;

const maximum = (table: string): string => `(select coalesce(max(version), 0) from ${table})`;

/** Reads the version of a database, also where an earlier version of Stemma has created it. */
export async function readDatabaseVersion({
	query,
}: Pick<PostgresSession, "query">): Promise<DatabaseVersion> {
	const { rows: tables } = await query(EXISTING);
	if (tables[0]?.required === null) return { applied: 0, required: 0 };
	const required = maximum(REQUIRED);
	const applied = tables[0]?.compatible === null ? required : `greatest(${required}, ${maximum(COMPATIBLE)})`;
	const { rows } = await query(`select ${applied} as applied, ${required} as required`);
	return { applied: Number(rows[0]?.applied), required: Number(rows[0]?.required) };
}

/**
 * Records that a step was applied.
 *
 * @param compatibleWith - the last step that a version of Stemma must know afterwards.
 */
export async function recordStep(
	{ query }: Pick<PostgresSession, "query">,
	step: number,
	compatibleWith: number,
): Promise<void> {
	const insert = (table: string) =>
		`insert into ${table} (version) values ($1) on conflict (version) do nothing`;
	await query(insert(REQUIRED), [compatibleWith]);
	if (step > compatibleWith) await query(insert(COMPATIBLE), [step]);
}
