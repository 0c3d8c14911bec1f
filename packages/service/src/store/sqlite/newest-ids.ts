import type { Kysely } from "kysely";

/** Lists the newest id of each of some tables, which have a column `id`. */
export async function listNewestIds<Tables>(
	read: Kysely<Tables>,
	tables: readonly (keyof Tables & string)[],
): Promise<readonly string[]> {
	const { ref } = read.dynamic;
	const results = await Promise.all(
		tables.map((name) =>
			read
				.selectFrom(read.dynamic.table(name).as("newest"))
				.select(({ fn }) => fn.max<string | null>(ref<never>("newest.id")).as("id"))
				.execute(),
		),
	);
	return results.flatMap((rows) => rows.flatMap(({ id }) => id ?? []));
}
