/** Largest row that stays whole in a page, so that a search reads no second table for it. */
export const INLINE_BYTES = 8160;
/** Number of partitions of each of these tables. */
export const PARTITIONS = 32;

/**
 * Composes the DDL of a table that is partitioned by hash of the workspace, for those that grow with its documents and
 * runs. Indexes on the table reach all partitions.
 *
 * @param columns - columns and constraints, between the parentheses; each key has the workspace in it.
 */
export function partitionedTable(name: string, columns: string): string {
	const partitions = Array.from(
		{ length: PARTITIONS },
		(_, number) =>
			`create table ${name}_p${number} partition of ${name} for values with (modulus ${PARTITIONS}, remainder ${number});`,
	);
	return `create table ${name} (${columns}) partition by hash (workspace);\n${partitions.join("\n")}\n`;
}

/** Column of every table of workspaces, in front of the others. */
export const WORKSPACE_COLUMN_SQL = `workspace text collate "C" not null default current_setting('stemma.workspace')`;
