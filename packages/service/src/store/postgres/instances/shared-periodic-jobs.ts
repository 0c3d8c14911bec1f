import type { PeriodicJobs } from "../../instances/periodic-jobs";
import type { PostgresPool } from "../connection/postgres-pool";

/** Share of the time between two starts after which a job may begin: timers of instances are not exact. */
const EARLIEST_SHARE = 0.9;

const TAKE_SQL = `
insert into stemma_deployment.periodic_jobs as jobs (name, owner) values ($1, $2)
on conflict (name) do update set owner = excluded.owner, started_at = now(), ended_at = null
where case when jobs.ended_at is null
	then jobs.owner not in (select id from stemma_deployment.instances where lease_until > now())
	else jobs.started_at < now() - $3 * interval '1 millisecond' end
returning name`;

const END_SQL = `
update stemma_deployment.periodic_jobs set ended_at = now() where name = $1 and owner = $2`;

/** Creates the jobs of an instance, over a table that all instances share. They need no connection of their own. */
export function createSharedPeriodicJobs(pool: PostgresPool, instanceId: string): PeriodicJobs {
	async function query(sql: string, parameters: readonly unknown[]): Promise<number> {
		const client = await pool.connect();
		try {
			return (await client.query(sql, parameters)).rows.length;
		} finally {
			client.release();
		}
	}
	return {
		async run(name, everyMs, work) {
			if ((await query(TAKE_SQL, [name, instanceId, everyMs * EARLIEST_SHARE])) === 0) return;
			try {
				await work();
			} finally {
				await query(END_SQL, [name, instanceId]);
			}
		},
	};
}
