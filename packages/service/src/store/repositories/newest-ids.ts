import type { Kysely } from "kysely";

/** Lists the newest id of each of some tables, which have a column `id`. */
export async function listNewestIds<Tables>(
	read: Kysely<Tables>,
	tables: readonly (keyof Tables & string)[],
): Promise<readonly string[]> {
	// The builder has no types for tables that are not known here: each is one with ids.
	const queries = read as unknown as Kysely<{ readonly table: { readonly id: string } }>;
	const rows = await Promise.all(
		tables.map((table) =>
			queries
				.selectFrom(table as "table")
				.select(({ fn }) => fn.max<string | null>("id").as("id"))
				.executeTakeFirst(),
		),
	);
	return rows.flatMap((row) => row?.id ?? []);
}
