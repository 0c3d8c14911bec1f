import type { Queries } from "../database";
import type { IdempotencyKey, IdempotencyRecord, IdempotencyRepository } from "../idempotency-repository";
import type { WorkspaceTables } from "../workspace-tables";

/** Records of requests of a workspace. Reads with `write`: a request sees what the one before it wrote. */
export const createIdempotencyRepository = ({
	write,
}: Pick<Queries<WorkspaceTables>, "write">): IdempotencyRepository => ({
	find: (request, now) => findRequest(write, request, now),
	replace: (record) => replaceRecord(write, record),
	async deleteExpired(now) {
		await write.deleteFrom("idempotency").where("expires_at", "<=", now).execute();
	},
});

/** Finds the record of a request that has not expired, in the transaction that depends on it. */
export const findRequest = (
	write: Queries<WorkspaceTables>["write"],
	{ caller_id, route, key }: IdempotencyKey,
	now: number,
): Promise<IdempotencyRecord | undefined> =>
	write
		.selectFrom("idempotency")
		.selectAll()
		.where("caller_id", "=", caller_id)
		.where("route", "=", route)
		.where("key", "=", key)
		.where("expires_at", ">", now)
		.executeTakeFirst();

/** Writes a record in the transaction that makes what it tells of. */
export async function replaceRecord(
	write: Queries<WorkspaceTables>["write"],
	record: IdempotencyRecord | undefined,
): Promise<void> {
	if (record === undefined) return;
	await write
		.insertInto("idempotency")
		.values(record)
		.onConflict((conflict) => conflict.columns(["caller_id", "route", "key"]).doUpdateSet(record))
		.execute();
}
