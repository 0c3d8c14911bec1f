import { createHash } from "node:crypto";
import type { MinuteCount, SharedCounts } from "../../instances/shared-counts";
import type { PostgresPool } from "../connection/postgres-pool";

/**
 * Adds in the order of the keys, so that no two instances wait for each other. The minute before is what others have
 * counted while this instance had no request of a sender.
 */
const ADD_SQL = `
with added as (
	insert into stemma_deployment.minute_counts as counts (key, minute, count)
	select key, minute, count from unnest($1::text[], $2::bigint[], $3::bigint[]) as added (key, minute, count)
	order by key, minute
	on conflict (key, minute) do update set count = counts.count + excluded.count
	returning key, minute, count
)
select key, minute, count from added
union all
select key, minute, count from stemma_deployment.minute_counts
where (key, minute) in (select key, minute - 1 from added) and (key, minute) not in (select key, minute from added)`;

const FORGET_SQL = "delete from stemma_deployment.minute_counts where minute < $1";

/** Opens the counts of all instances: one statement adds to those of many senders. */
export function createSharedMinuteCounts(pool: PostgresPool): SharedCounts {
	let lastForgotten = 0;
	return {
		async add(counts) {
			const keys = new Map(counts.map(({ key }) => [toStoredKey(key), key]));
			const client = await pool.connect();
			try {
				const minute = Math.max(...counts.map((count) => count.minute));
				const { rows } = await client.query(ADD_SQL, [
					counts.map(({ key }) => toStoredKey(key)),
					counts.map((count) => count.minute),
					counts.map(({ count }) => count),
				]);
				if (minute > lastForgotten) await client.query(FORGET_SQL, [minute - 2]);
				lastForgotten = minute;
				return rows.flatMap(({ key, ...count }) => toMinuteCount(keys.get(String(key)), count));
			} finally {
				client.release();
			}
		},
	};
}

const toMinuteCount = (
	key: string | undefined,
	{ minute, count }: Readonly<Record<string, unknown>>,
): readonly MinuteCount[] =>
	key === undefined ? [] : [{ key, minute: Number(minute), count: Number(count) }];

/** Hashes a key: addresses of people are not stored. */
const toStoredKey = (key: string): string =>
	createHash("sha256").update(key).digest("base64url").slice(0, 22);
