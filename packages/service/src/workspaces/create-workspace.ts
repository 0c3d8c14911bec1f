import type { Scope } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import { OPERATOR } from "../audit/audit-author";
import type { AuditEntry } from "../audit/audit-record";
import { CLIENT_SECRET_PREFIX, toStoredClient } from "../auth/api-clients";
import type { WorkspaceCredentials } from "../auth/bootstrap-credentials";
import {
	createClientKeySecret,
	formatClientKey,
	parseClientKey,
} from "../auth/client-keys/client-key-format";
import type { StoredClientKey } from "../auth/client-keys/client-key-repository";
import { toStoredClientKey } from "../auth/client-keys/client-keys";
import { CLIENT_KEY_SCOPES } from "../auth/scopes";
import { createSecret } from "../auth/secrets";
import { createId } from "../create-id";
import type { StoredWorkspace, WorkspaceAudit, WorkspaceRepository } from "./workspace-repository";
import type { Workspaces } from "./workspaces";

/** A workspace to be made, with a client that may do everything and a client key. */
export interface NewWorkspace {
	readonly name: string;
	readonly credentials: WorkspaceCredentials;
	/** Pages that may use the client key. */
	readonly origins: readonly string[];
	/** Scopes of the workspace's client. */
	readonly scopes: readonly Scope[];
}

/** New ids and secrets, kept nowhere yet. */
export const createWorkspaceCredentials = (): WorkspaceCredentials => ({
	workspace_id: createId("ws"),
	client_id: createId("cl"),
	client_secret: createSecret(CLIENT_SECRET_PREFIX),
	client_key: formatClientKey(createId("ck"), createClientKeySecret()),
});

/** Circumstances of the creation of a workspace. */
export interface WorkspaceCreation {
	/** Record in the audit log of another workspace, whose client creates this one. */
	readonly audit?: WorkspaceAudit;
	/** Called in the transaction that adds the workspace; what it throws changes nothing. */
	readonly check: (isNameTaken: boolean) => void;
}

/** Makes the file first: a workspace that is known has one. */
export async function createWorkspace(
	repository: WorkspaceRepository,
	workspaces: Workspaces,
	{ name, credentials, origins, scopes }: NewWorkspace,
	creation?: WorkspaceCreation,
): Promise<StoredWorkspace> {
	const { workspace_id, client_id, client_secret } = credentials;
	await workspaces.open(workspace_id);
	const workspace = { id: workspace_id, name, created_at: new Date(clock.now()).toISOString() };
	const clientKey = toDefaultClientKey(credentials, origins);
	const client = toStoredClient({ id: client_id, name: "first client", scopes }, client_secret);
	const details = { name, client_id, client_key_id: clientKey.id, origins: [...origins] };
	const entry: AuditEntry = { actor: OPERATOR, action: "workspace.created", target: workspace_id, details };
	const audits = [...(creation?.audit ? [creation.audit] : []), { workspaceId: workspace_id, entry }];
	await repository.insert({ workspace, client, clientKey, audits }, creation?.check);
	await workspaces.synchronize([workspace_id]);
	return workspace;
}

function toDefaultClientKey(
	{ client_key }: WorkspaceCredentials,
	origins: readonly string[],
): StoredClientKey {
	const parts = parseClientKey(client_key);
	if (parts === undefined) throw new Error("The client key is malformed.");
	const key = {
		...DEFAULT_CLIENT_KEY,
		id: parts.id,
		name: "first client key",
		scopes: CLIENT_KEY_SCOPES,
		origins,
		native: true,
	};
	return toStoredClientKey(key, parts.secret);
}

/** Default settings of a client key. */
export const DEFAULT_CLIENT_KEY = {
	agents: null,
	knowledge_base_ids: null,
	requests_per_minute: 60,
	tokens_per_day: 200_000,
	models: false,
	expose: "answer",
} as const;
