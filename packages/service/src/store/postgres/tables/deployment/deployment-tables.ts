import { WORKSPACES_TOPIC } from "../../../claims/instance-bus";
import { INSTANCE_CHANNEL } from "../../instances/instance-channel";

/**
 * Tables that all workspaces share: who may come in, and nothing of what they keep. Times are epoch milliseconds. All instances
 * are told of workspaces that are created or deleted.
 */
export const deploymentTablesSql = `
create table workspaces (
	id text collate "C" primary key,
	name text collate "C" not null,
	created_at bigint not null,
	deleting_at bigint
);

create function announce_workspace() returns trigger language plpgsql as $$
begin
	perform pg_notify('${INSTANCE_CHANNEL}', json_build_object(
		'topic', '${WORKSPACES_TOPIC}', 'payload', json_build_object('id', coalesce(new.id, old.id))
	)::text);
	return null;
end
$$;
create trigger announce after insert or update of deleting_at or delete on workspaces
	for each row execute function announce_workspace();

create table clients (
	id text collate "C" primary key,
	workspace_id text collate "C" not null references workspaces on delete cascade,
	name text collate "C" not null,
	scopes text not null,
	secret_hash bytea not null,
	created_at bigint not null
);
create index clients_by_workspace on clients (workspace_id, id);

create table client_keys (
	id text collate "C" primary key,
	workspace_id text collate "C" not null references workspaces on delete cascade,
	name text collate "C" not null,
	scopes text not null,
	origins text not null,
	native smallint not null,
	agents text,
	knowledge_base_ids text,
	requests_per_minute bigint not null,
	tokens_per_day bigint not null,
	models smallint not null,
	expose text not null,
	secret_hash bytea not null,
	created_at bigint not null
);
create index client_keys_by_workspace on client_keys (workspace_id, id);

create table access_tokens (
	token_hash bytea primary key,
	client_id text collate "C" not null references clients on delete cascade,
	scopes text not null,
	expires_at bigint not null
);
create index access_tokens_by_client on access_tokens (client_id);
create index access_tokens_by_expiry on access_tokens (expires_at);

create table token_budgets (
	client_key_id text collate "C" not null references client_keys on delete cascade,
	day text collate "C" not null,
	tokens bigint not null,
	primary key (client_key_id, day)
);

create table deployment_secrets (
	name text collate "C" primary key,
	value bytea not null
);

create table audit (
	id text collate "C" primary key,
	created_at bigint not null,
	action text collate "C" not null,
	actor text collate "C" not null,
	target text collate "C" not null,
	details text not null,
	request_id text collate "C",
	workspace_id text collate "C" not null references workspaces on delete cascade
);
create index audit_by_workspace on audit (workspace_id, id);
create index audit_by_action on audit (workspace_id, action, id);

create table encryption_keys (
	position bigint primary key,
	id text collate "C" not null,
	key_check text not null
);
`;
