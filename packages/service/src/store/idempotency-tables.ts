/** Requests that were sent with an `Idempotency-Key`. */
export interface IdempotencyTables {
	idempotency: IdempotencyTable;
}

export interface IdempotencyTable {
	caller_id: string;
	/** Method and path. */
	route: string;
	key: string;
	/** An HMAC; the body itself is not kept. */
	body_fingerprint: string;
	/** The id of what the request has made or started, where only that is kept. */
	reference: string | null;
	/** `null` while the work is under way, and where only the reference is kept. */
	status: number | null;
	/** JSON. */
	answer: string | null;
	/** Epoch milliseconds. */
	expires_at: number;
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
