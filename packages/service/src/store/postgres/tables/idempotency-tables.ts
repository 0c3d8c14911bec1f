import { TEXT } from "./column-types";
import { WORKSPACE_COLUMN_SQL } from "./partitioned-table";

/** Table of requests that were sent with an `Idempotency-Key`. */
export const idempotencyTablesSql = `
create table idempotency (
	${WORKSPACE_COLUMN_SQL},
	caller_id ${TEXT} not null,
	route ${TEXT} not null,
	key ${TEXT} not null,
	body_fingerprint ${TEXT} not null,
	reference ${TEXT},
	status bigint,
	answer ${TEXT},
	expires_at bigint not null,
	primary key (workspace, caller_id, route, key)
);
create index idempotency_by_expiry on idempotency (workspace, expires_at);
create index idempotency_by_reference on idempotency (workspace, reference) where reference is not null;
`;
