import { type Kysely, sql } from "kysely";

/** Lists the newest id of each of some tables of a file. */
export async function listNewestIds<Tables>(
	read: Kysely<Tables>,
	tables: readonly (keyof Tables & string)[],
): Promise<readonly string[]> {
	const results = await Promise.all(
		tables.map((table) =>
			sql<{ id: string | null }>`SELECT max(id) AS id FROM ${sql.table(table)}`.execute(read),
		),
	);
	return results.flatMap(({ rows }) => rows.flatMap(({ id }) => id ?? []));
}
