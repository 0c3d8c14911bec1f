import type { PostgresPool } from "../connection/postgres-pool";

const LIST_SQL = `
select distinct workspace from stemma_deployment.claims
where owner not in (select id from stemma_deployment.instances where lease_until > now())`;

/** Lists the workspaces in which instances without a lease have left claims. */
export async function listInterruptedWorkspaces(pool: PostgresPool): Promise<readonly string[]> {
	const client = await pool.connect();
	try {
		const { rows } = await client.query(LIST_SQL);
		return rows.map(({ workspace }) => String(workspace));
	} finally {
		client.release();
	}
}
