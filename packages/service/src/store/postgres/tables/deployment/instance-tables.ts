/**
 * Instances of the service that serve the database; one whose lease is over has ended, or does not reach the database. And
 * the jobs that one of them does from time to time: the last start of each, without an end while an instance is at it.
 * And the requests of all instances by sender and minute, which a crash of the server may forget.
 */
export const instanceTablesSql = `
create table instances (
	id text collate "C" primary key,
	version text not null,
	started_at timestamptz not null default now(),
	lease_until timestamptz not null
);

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
