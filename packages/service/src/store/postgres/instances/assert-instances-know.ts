import { StorageError } from "../../storage-error";
import type { PostgresSession } from "../connection/postgres-pool";

const HAS_VERSIONS = `
select exists (
	select from pg_attribute
	where attrelid = to_regclass('stemma_deployment.instances') and attname = 'database_version' and not attisdropped
) as has_versions`;

const LIST_EARLIER = `
select id, host, version from stemma_deployment.instances
where lease_until > now() and database_version < $1 order by started_at, id`;

/**
 * Refuses a change of tables that instances which serve the database could not go on with.
 *
 * @param step - number of the migration step that they must know.
 * @throws StorageError `database_in_use`
 */
export async function assertInstancesKnow(
	{ query }: Pick<PostgresSession, "query">,
	step: number,
): Promise<void> {
	const { rows } = await query(HAS_VERSIONS);
	// Versions from before could not share a database.
	if (rows[0]?.has_versions !== 1) return;
	const { rows: earlier } = await query(LIST_EARLIER, [step]);
	if (earlier.length === 0) return;
	const names = earlier.map(({ id, host, version }) => `${id} (${host}, version ${version})`);
	throw new StorageError(
		`The database cannot be upgraded while instances of an earlier version serve it: ${names.join(", ")}.`,
		{
			code: "database_in_use",
			hint: "Upgrade them to the version before this one first, or stop them. An instance that was killed counts for 15 seconds more.",
		},
	);
}
