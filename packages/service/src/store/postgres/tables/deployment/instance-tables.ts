/** Instances of the service that serve the database; one whose lease is over has ended, or does not reach the database. */
export const instanceTablesSql = `
create table instances (
	id text collate "C" primary key,
	version text not null,
	started_at timestamptz not null default now(),
	lease_until timestamptz not null
);
`;
