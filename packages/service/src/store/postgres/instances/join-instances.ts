import { ConfigurationError } from "@stemma/core/errors";
import type { PostgresSession } from "../connection/postgres-pool";
import { type InstanceDescription, LEASE_SECONDS, listInstances } from "./stored-instance";

const JOIN_LOCK = "select pg_advisory_xact_lock(hashtextextended('stemma:join', 0))";

const RENEW_SQL = `
insert into stemma_deployment.instances (id, version, host, encryption_keys, database_version, lease_until)
values ($1, $2, $3, $4, $5, now() + interval '${LEASE_SECONDS} seconds')
on conflict (id) do update set lease_until = excluded.lease_until`;

/** Renews the lease of an instance, or gives it one. */
export async function renewLease(
	{ query }: Pick<PostgresSession, "query">,
	{ id, version, databaseVersion, host = "", encryptionKeys = [] }: InstanceDescription,
): Promise<void> {
	await query(RENEW_SQL, [id, version, host, JSON.stringify(encryptionKeys), databaseVersion]);
}

/**
 * Joins the instances that serve a database, one at a time.
 *
 * @throws ConfigurationError `encryption_keys_differ` where it could not decrypt what another one encrypts, or the other
 * way round.
 */
export async function joinInstances(session: PostgresSession, joining: InstanceDescription): Promise<void> {
	await session.query(`begin; ${JOIN_LOCK}`);
	try {
		for (const other of await listInstances(session)) assertSameKeys(joining, other);
		await renewLease(session, joining);
		await session.query("commit");
	} catch (error) {
		await session.query("rollback").catch(() => undefined);
		throw error;
	}
}

function assertSameKeys(
	{ encryptionKeys = [] }: InstanceDescription,
	other: Required<Pick<InstanceDescription, "id" | "host" | "encryptionKeys">>,
): void {
	if (decrypts(encryptionKeys, other.encryptionKeys) && decrypts(other.encryptionKeys, encryptionKeys))
		return;
	throw new ConfigurationError(
		`The encryption keys differ from those of another instance on this database, ${other.id} (${other.host}).`,
		{
			code: "encryption_keys_differ",
			hint: 'Give all instances the same "encryption.keys" or STEMMA_ENCRYPTION_KEY. To change the key, restart all with the new one as the second, then all with it as the first. An instance that was killed counts for 15 seconds more.',
		},
	);
}

/** Checks whether one keyring decrypts what another one encrypts, which its first key does. */
function decrypts(
	keys: Required<InstanceDescription>["encryptionKeys"],
	[first]: Required<InstanceDescription>["encryptionKeys"],
): boolean {
	return first === undefined || keys.some(({ keyCheck }) => keyCheck === first.keyCheck);
}
