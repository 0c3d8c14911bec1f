import type { StoredCounts } from "../../../storage/storage-repository";
import type { PostgresJob } from "../postgres-job";

/** Counts documents and runs. */
export const readStoredCounts: PostgresJob<unknown, StoredCounts> = async (transaction) => {
	const count = async (table: "documents" | "runs"): Promise<number> => {
		const row = await transaction
			.selectFrom(table)
			.select(({ fn }) => fn.countAll<number>().as("count"))
			.executeTakeFirstOrThrow();
		return row.count;
	};
	return { documents: await count("documents"), runs: await count("runs") };
};
