import type { KeyFingerprint } from "../../../encryption/keyring";
import type { PostgresSession } from "../connection/postgres-pool";

/** Time in seconds after which an instance that says nothing counts as ended. */
export const LEASE_SECONDS = 15;

/** Description that an instance gives of itself. */
export interface InstanceDescription {
	/** `ins_…` */
	readonly id: string;
	/** Version of Stemma. */
	readonly version: string;
	/** The last migration step of the database that it knows. */
	readonly databaseVersion: number;
	/** Name of the machine, pod or container. Default: unknown. */
	readonly host?: string;
	/** Fingerprints of its encryption keys; the first encrypts. Default: it has none. */
	readonly encryptionKeys?: readonly KeyFingerprint[];
}

/** Instance that serves the database. */
export interface StoredInstance extends Required<InstanceDescription> {
	readonly startedAt: Date;
	/** Time at which it has last renewed its lease. */
	readonly lastSeenAt: Date;
}

const LIST_SQL = `
select id, version, database_version, host, encryption_keys,
	extract(epoch from started_at) * 1000 as started_at,
	extract(epoch from lease_until - interval '${LEASE_SECONDS} seconds') * 1000 as last_seen_at
from stemma_deployment.instances where lease_until > now() order by started_at, id`;

/** Lists the instances whose lease is not over, the oldest first. */
export async function listInstances({
	query,
}: Pick<PostgresSession, "query">): Promise<readonly StoredInstance[]> {
	const { rows } = await query(LIST_SQL);
	return rows.map((row) => ({
		id: String(row.id),
		version: String(row.version),
		databaseVersion: Number(row.database_version),
		host: String(row.host),
		encryptionKeys: parseKeys(String(row.encryption_keys)),
		startedAt: new Date(Number(row.started_at)),
		lastSeenAt: new Date(Number(row.last_seen_at)),
	}));
}

/** Instances write them, so that they are not checked again. */
const parseKeys = (json: string): readonly KeyFingerprint[] => JSON.parse(json);
