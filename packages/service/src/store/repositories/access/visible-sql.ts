import { type Kysely, type RawBuilder, sql } from "kysely";
import { dialectOf } from "../dialect-of";

/** Rows that may be limited to some persons, with the column of the person that a row belongs to. */
export type LimitedRows =
	| { readonly table: "runs"; readonly owner: "started_by" }
	| { readonly table: "feedback"; readonly owner: "sent_by" };

/** SQL that dialects write differently. */
interface Dialect {
	/** Table of the texts of a JSON array, with the column `value`. */
	toItems(column: string, alias: string): string;
	/** Condition that rows of two tables are of one workspace; a file of SQLite has one alone. */
	isSameWorkspace(table: string, other: string): string;
}

const DIALECTS: Readonly<Record<ReturnType<typeof dialectOf>, Dialect>> = {
	sqlite: {
		toItems: (column, alias) => `json_each(${column}) AS ${alias}`,
		isSameWorkspace: () => "true",
	},
	postgres: {
		toItems: (column, alias) => `jsonb_array_elements_text(${column}::jsonb) AS ${alias} (value)`,
		isSameWorkspace: (table, other) => `${table}.workspace = ${other}.workspace`,
	},
};

/**
 * Condition of a row of runs or feedback: `reader` may use all that the run was made with, which is still there, or it is their
 * own. What is gone was limited to persons whom nobody knows any more.
 */
function toVisibleSql({ table, owner }: LimitedRows, { toItems, isSameWorkspace }: Dialect): string {
	const isPermitted = `(access IS NULL OR reader.id IN (SELECT value FROM ${toItems("access", "permitted")}))`;
	return `
(${table}.limits IS NULL OR ${table}.${owner} = reader.id OR NOT EXISTS (
	SELECT 1 FROM ${toItems(`${table}.limits`, "item")}
	WHERE NOT EXISTS (
		SELECT 1 FROM knowledge_bases WHERE id = item.value AND deleted_at IS NULL
		AND ${isSameWorkspace("knowledge_bases", table)} AND ${isPermitted}
	) AND NOT EXISTS (
		SELECT 1 FROM agents WHERE id = item.value
		AND ${isSameWorkspace("agents", table)} AND ${isPermitted}
	)
))`;
}

/** Condition of a row of runs or feedback in a file, with a single parameter: the id of the person who reads. */
export const toVisibleToSql = (rows: LimitedRows): string =>
	`EXISTS (SELECT 1 FROM (SELECT ? AS id) AS reader WHERE ${toVisibleSql(rows, DIALECTS.sqlite)})`;

/** Condition of a row of runs or feedback that a person may see, in the dialect of some queries. */
export function isVisibleTo<Tables>(
	queries: Kysely<Tables>,
	rows: LimitedRows,
	userId: string,
): RawBuilder<boolean> {
	const condition = sql.raw(toVisibleSql(rows, DIALECTS[dialectOf(queries)]));
	return sql<boolean>`EXISTS (SELECT 1 FROM (SELECT ${userId} AS id) AS reader WHERE ${condition})`;
}
