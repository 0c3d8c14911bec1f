/**
 * Jobs that one instance does from time to time, with the last start of each, and without an end while an instance is at it.
 * Requests of all instances, by sender and minute: a crash of the server may forget them.
 */
export const sharedWorkTablesSql = `
create table periodic_jobs (
	name text collate "C" primary key,
	owner text collate "C" not null,
	started_at timestamptz not null default now(),
	ended_at timestamptz
);

create unlogged table minute_counts (
	key text collate "C" not null,
	minute bigint not null,
	count bigint not null,
	primary key (key, minute)
);
`;
