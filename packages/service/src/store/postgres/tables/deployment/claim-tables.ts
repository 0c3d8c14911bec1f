/**
 * Work in progress of all workspaces, and which instance has it: ids and nothing else, so that one query finds the
 * workspaces in which an instance has left something. A later claim has a higher fence.
 */
export const claimTablesSql = `
create table claims (
	workspace text collate "C" not null,
	kind text collate "C" not null,
	id text collate "C" not null,
	owner text collate "C" not null,
	fence bigint generated always as identity,
	cancelled smallint not null default 0,
	primary key (workspace, kind, id)
);
create index claims_by_owner on claims (owner);
`;
