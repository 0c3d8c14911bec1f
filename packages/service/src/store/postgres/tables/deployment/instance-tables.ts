/**
 * Instances of the service that serve the database; one whose lease is over has ended, or does not reach the database. Their
 * encryption keys are there by their fingerprints, as JSON.
 */
export const instanceTablesSql = `
create table instances (
	id text collate "C" primary key,
	version text not null,
	host text not null default '',
	encryption_keys text not null default '[]',
	started_at timestamptz not null default now(),
	lease_until timestamptz not null
);
`;

/** The last migration step that an instance knows; those that do not say it are of the versions before this step. */
export const instanceVersionsSql = `
alter table instances add column database_version integer not null default 2;
`;
