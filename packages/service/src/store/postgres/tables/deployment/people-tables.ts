import { SESSIONS_TOPIC } from "../../../claims/instance-bus";
import { INSTANCE_CHANNEL } from "../../instances/instance-channel";

/**
 * Composes triggers that tell all instances of changes after which sessions or authorizations may have ended: they look at their
 * open streams.
 */
const announceEndsSql = (
	changes: readonly (readonly [table: string, change: "delete" | "update"])[],
): string => `
create function announce_ends() returns trigger language plpgsql as $$
begin
	if exists (select from changed) then
		perform pg_notify('${INSTANCE_CHANNEL}', '{"topic":"${SESSIONS_TOPIC}"}');
	end if;
	return null;
end
$$;
${changes
	.map(
		([table, change]) => `create trigger announce_${change} after ${change} on ${table}
	referencing old table as changed for each statement execute function announce_ends();`,
	)
	.join("\n")}
`;

/** Tables of people, their sessions, passkeys and identities, of used tokens, of apps, and of links to runs. */
export const peopleTablesSql = `
create table users (
	id text collate "C" primary key,
	email text collate "C" not null unique,
	created_at bigint not null
);

create table members (
	workspace_id text collate "C" not null references workspaces on delete cascade,
	user_id text collate "C" not null references users on delete cascade,
	name text collate "C" not null,
	role text collate "C" not null,
	status text collate "C" not null,
	created_at bigint not null,
	primary key (workspace_id, user_id)
);
create index members_by_user on members (user_id);

create table sign_in_links (
	id text collate "C" primary key,
	token_hash bytea not null unique,
	workspace_id text collate "C" not null references workspaces on delete cascade,
	kind text collate "C" not null,
	email text collate "C",
	role text collate "C" not null,
	invited_by text collate "C" not null,
	created_at bigint not null,
	expires_at bigint not null,
	reach text collate "C" not null default 'workspace'
);
create index sign_in_links_by_workspace on sign_in_links (workspace_id, id);

create table sessions (
	id text collate "C" primary key,
	token_hash bytea not null unique,
	user_id text collate "C" not null,
	workspace_id text collate "C" not null,
	user_agent text,
	created_at bigint not null,
	last_used_at bigint not null,
	invited_by text collate "C",
	reach text collate "C" not null default 'workspace',
	foreign key (workspace_id, user_id) references members (workspace_id, user_id) on delete cascade
);
create index sessions_by_member on sessions (workspace_id, user_id, id);

create table passkeys (
	id text collate "C" primary key,
	workspace_id text collate "C" not null,
	user_id text collate "C" not null,
	name text collate "C" not null,
	credential_id text collate "C" not null unique,
	party_id text collate "C" not null,
	public_key bytea not null,
	counter bigint not null,
	synced smallint not null,
	created_at bigint not null,
	last_used_at bigint,
	invited_by text collate "C",
	reach text collate "C" not null default 'workspace',
	foreign key (workspace_id, user_id) references members (workspace_id, user_id) on delete cascade
);
create index passkeys_by_member on passkeys (workspace_id, user_id, id);

create table identities (
	issuer text collate "C" not null,
	subject text collate "C" not null,
	user_id text collate "C" not null references users on delete cascade,
	created_at bigint not null,
	confirmed_at bigint not null default 0,
	primary key (issuer, subject)
);
create index identities_by_user on identities (user_id);

create table session_identities (
	session_id text collate "C" primary key references sessions on delete cascade,
	issuer text collate "C" not null,
	subject text collate "C" not null,
	sid text collate "C"
);
create index session_identities_by_subject on session_identities (issuer, subject);
create index session_identities_by_sid on session_identities (issuer, sid);

create table used_tokens (
	token_hash bytea primary key,
	expires_at bigint not null
);
create index used_tokens_by_expiry on used_tokens (expires_at);

create table apps (
	id text collate "C" primary key,
	name text collate "C" not null,
	redirect_uris text not null,
	created_at bigint not null
);

create table authorizations (
	id text collate "C" primary key,
	workspace_id text collate "C" not null,
	user_id text collate "C" not null,
	client_id text collate "C" not null,
	client_name text collate "C" not null,
	redirect_host text collate "C",
	scopes text not null,
	resource text collate "C" not null,
	created_at bigint not null,
	last_used_at bigint not null,
	foreign key (workspace_id, user_id) references members (workspace_id, user_id) on delete cascade
);
create index authorizations_by_member on authorizations (workspace_id, user_id, id);
create index authorizations_by_app on authorizations (client_id);

create table authorization_codes (
	code_hash bytea primary key,
	authorization_id text collate "C" not null references authorizations on delete cascade,
	redirect_uri text not null,
	code_challenge text not null,
	expires_at bigint not null,
	used_at bigint
);
create index authorization_codes_by_authorization on authorization_codes (authorization_id);

create table authorization_tokens (
	token_hash bytea primary key,
	authorization_id text collate "C" not null references authorizations on delete cascade,
	kind text collate "C" not null,
	expires_at bigint not null,
	replaced_at bigint
);
create index authorization_tokens_by_authorization on authorization_tokens (authorization_id);

create table run_shares (
	id text collate "C" primary key,
	token_hash bytea not null unique,
	workspace_id text collate "C" not null references workspaces on delete cascade,
	run_id text collate "C" not null,
	fields text not null,
	created_by text collate "C" not null,
	created_at bigint not null,
	expires_at bigint not null,
	views bigint not null
);
create index run_shares_by_workspace on run_shares (workspace_id, created_by, id);
create index run_shares_by_run on run_shares (workspace_id, run_id);

${announceEndsSql([
	["sessions", "delete"],
	["authorizations", "delete"],
	["members", "update"],
	["members", "delete"],
	["identities", "update"],
])}`;
