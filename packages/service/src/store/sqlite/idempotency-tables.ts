import type { IdempotencyRecord } from "../idempotency-repository";

/** Requests that were sent with an `Idempotency-Key`. */
export interface IdempotencyTables {
	idempotency: IdempotencyRecord;
}

export const idempotencyTablesSql = `
CREATE TABLE idempotency (
	caller_id TEXT NOT NULL,
	route TEXT NOT NULL,
	key TEXT NOT NULL,
	body_fingerprint TEXT NOT NULL,
	reference TEXT,
	status INTEGER,
	answer TEXT,
	expires_at INTEGER NOT NULL,
	PRIMARY KEY (caller_id, route, key)
) STRICT;
CREATE INDEX idempotency_by_expiry ON idempotency (expires_at);
`;

/** Index of what requests have made, so that their records can be deleted with it. */
export const idempotencyReferencesSql =
	"CREATE INDEX idempotency_by_reference ON idempotency (reference) WHERE reference IS NOT NULL;";
