import type { ClientKey, Scope } from "@stemma/client";
import type { JsonColumn } from "./json-column";
import { type DeploymentAuditRow, deploymentAuditSql } from "./sqlite/audit-tables";
import {
	type AuthorizationTables,
	authorizationTablesSql,
} from "./sqlite/authorizations/authorization-tables";
import { type EncryptionKeyRow, encryptionKeyTablesSql } from "./sqlite/encryption-key-tables";
import {
	confirmedIdentitiesSql,
	type IdentityTables,
	identityTablesSql,
} from "./sqlite/people/identity-tables";
import { type PasskeyTables, passkeyTablesSql } from "./sqlite/people/passkey-tables";
import {
	inviterSql,
	type PeopleTables,
	peopleTablesSql,
	sessionReachSql,
} from "./sqlite/people/people-tables";
import { type UsedTokenTables, usedTokenTablesSql } from "./sqlite/people/used-token-tables";
import { type RunShareTables, runShareTablesSql } from "./sqlite/run-shares/run-share-tables";

/** The tables of `deployment.sqlite`: who may come in, and what they have spent. Lists are JSON, times epoch milliseconds. */
export interface DeploymentTables
	extends PeopleTables,
		PasskeyTables,
		IdentityTables,
		AuthorizationTables,
		RunShareTables,
		UsedTokenTables {
	workspaces: WorkspaceRow;
	clients: ClientRow;
	client_keys: ClientKeyRow;
	access_tokens: AccessTokenRow;
	token_budgets: TokenBudgetRow;
	deployment_secrets: DeploymentSecretRow;
	audit: DeploymentAuditRow;
	encryption_keys: EncryptionKeyRow;
}

export interface WorkspaceRow {
	id: string;
	name: string;
	created_at: number;
	/** Time at which the deletion of the workspace began; its files may already be deleted. */
	deleting_at: number | null;
}

export interface ClientRow {
	id: string;
	workspace_id: string;
	name: string;
	scopes: JsonColumn<Scope[]>;
	/** SHA-256. */
	secret_hash: Uint8Array;
	created_at: number;
}

export interface ClientKeyRow {
	id: string;
	workspace_id: string;
	name: string;
	scopes: JsonColumn<ClientKey["scopes"]>;
	origins: JsonColumn<string[]>;
	/** 0 or 1. */
	native: number;
	agents: JsonColumn<string[]> | null;
	knowledge_base_ids: JsonColumn<string[]> | null;
	requests_per_minute: number;
	tokens_per_day: number;
	/** 0 or 1. */
	models: number;
	expose: "answer" | "trace";
	/** SHA-256. */
	secret_hash: Uint8Array;
	created_at: number;
}

export interface AccessTokenRow {
	/** SHA-256 of the token. */
	token_hash: Uint8Array;
	client_id: string;
	scopes: JsonColumn<Scope[]>;
	expires_at: number;
}

export interface TokenBudgetRow {
	client_key_id: string;
	/** `2026-01-31`, UTC. */
	day: string;
	/** Used and reserved. */
	tokens: number;
}

export interface DeploymentSecretRow {
	name: string;
	value: Uint8Array;
}

/** One text for each version of the file. */
export const deploymentMigrations: readonly string[] = [
	`
CREATE TABLE workspaces (
	id TEXT PRIMARY KEY,
	name TEXT NOT NULL,
	created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE clients (
	id TEXT PRIMARY KEY,
	workspace_id TEXT NOT NULL REFERENCES workspaces ON DELETE CASCADE,
	name TEXT NOT NULL,
	scopes TEXT NOT NULL,
	secret_hash BLOB NOT NULL,
	created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX clients_by_workspace ON clients (workspace_id, id);

CREATE TABLE client_keys (
	id TEXT PRIMARY KEY,
	workspace_id TEXT NOT NULL REFERENCES workspaces ON DELETE CASCADE,
	name TEXT NOT NULL,
	scopes TEXT NOT NULL,
	origins TEXT NOT NULL,
	native INTEGER NOT NULL,
	agents TEXT,
	knowledge_base_ids TEXT,
	requests_per_minute INTEGER NOT NULL,
	tokens_per_day INTEGER NOT NULL,
	models INTEGER NOT NULL,
	expose TEXT NOT NULL,
	secret_hash BLOB NOT NULL,
	created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX client_keys_by_workspace ON client_keys (workspace_id, id);

CREATE TABLE access_tokens (
	token_hash BLOB PRIMARY KEY,
	client_id TEXT NOT NULL REFERENCES clients ON DELETE CASCADE,
	scopes TEXT NOT NULL,
	expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX access_tokens_by_client ON access_tokens (client_id);
CREATE INDEX access_tokens_by_expiry ON access_tokens (expires_at);

CREATE TABLE token_budgets (
	client_key_id TEXT NOT NULL REFERENCES client_keys ON DELETE CASCADE,
	day TEXT NOT NULL,
	tokens INTEGER NOT NULL,
	PRIMARY KEY (client_key_id, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE deployment_secrets (
	name TEXT PRIMARY KEY,
	value BLOB NOT NULL
) STRICT;
${deploymentAuditSql}${encryptionKeyTablesSql}`,
	"ALTER TABLE workspaces ADD COLUMN deleting_at INTEGER;",
	peopleTablesSql,
	passkeyTablesSql,
	identityTablesSql,
	authorizationTablesSql,
	[inviterSql, confirmedIdentitiesSql].join("\n"),
	runShareTablesSql,
	sessionReachSql,
	usedTokenTablesSql,
];
