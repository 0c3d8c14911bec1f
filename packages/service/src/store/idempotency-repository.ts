/** Request that was sent with an `Idempotency-Key`, and what it has made. */
export interface IdempotencyRecord {
	readonly caller_id: string;
	/** Method and path. */
	readonly route: string;
	readonly key: string;
	/** An HMAC; the body itself is not stored. */
	readonly body_fingerprint: string;
	/** Id of what the request has made or started, where only that is stored. */
	readonly reference: string | null;
	/** `null` while the work is in flight, and where only the reference is stored. */
	readonly status: number | null;
	/** JSON. */
	readonly answer: string | null;
	/** Epoch milliseconds. */
	readonly expires_at: number;
}

/** Parts of a request by which it is recognised when it is sent again. */
export type IdempotencyKey = Pick<IdempotencyRecord, "caller_id" | "route" | "key">;

/** Requests that may be sent again, in the store of their workspace. */
export interface IdempotencyRepository {
	/** Finds the record of a request; `undefined` where there is none, or where it has expired. */
	find(request: IdempotencyKey, now: number): Promise<IdempotencyRecord | undefined>;
	/** Adds a record, or replaces that of the same request. */
	replace(record: IdempotencyRecord): Promise<void>;
	deleteExpired(now: number): Promise<void>;
}
