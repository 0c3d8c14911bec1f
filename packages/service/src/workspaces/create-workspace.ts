import type { Scope } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import type { Kysely } from "kysely";
import { OPERATOR } from "../audit/audit-author";
import { CLIENT_SECRET_PREFIX, toClientRow } from "../auth/api-clients";
import type { WorkspaceCredentials } from "../auth/bootstrap-credentials";
import { createClientKeySecret, formatClientKey, parseClientKey } from "../auth/client-key-format";
import { toClientKeyRow } from "../auth/client-keys";
import { CLIENT_KEY_SCOPES } from "../auth/scopes";
import { createSecret } from "../auth/secrets";
import { createId } from "../create-id";
import type { DeploymentDatabase } from "../store/deployment-database";
import type { DeploymentTables, WorkspaceRow } from "../store/deployment-tables";
import { recordDeploymentAudit } from "../store/sqlite/audit-repository";
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

/**
 * Makes the file first: a workspace that is known has one.
 *
 * @param checkCreation - runs in the same transaction; what it throws, is thrown.
 */
export async function createWorkspace(
	database: DeploymentDatabase,
	workspaces: Workspaces,
	{ name, credentials, origins, scopes }: NewWorkspace,
	checkCreation?: (transaction: Kysely<DeploymentTables>) => Promise<void>,
): Promise<WorkspaceRow> {
	const { workspace_id, client_id, client_secret } = credentials;
	await workspaces.open(workspace_id);
	const now = clock.now();
	const workspace = { id: workspace_id, name, created_at: now, deleting_at: null };
	const clientKey = toDefaultClientKey(credentials, origins, now);
	const client = { id: client_id, workspaceId: workspace_id, name: "first client", scopes };
	await database.write.transaction().execute(async (transaction) => {
		await checkCreation?.(transaction);
		await transaction.insertInto("workspaces").values(workspace).execute();
		await transaction
			.insertInto("clients")
			.values(toClientRow(client, client_secret, now))
			.execute();
		await transaction.insertInto("client_keys").values(clientKey).execute();
		await recordDeploymentAudit(transaction, workspace_id, {
			actor: OPERATOR,
			action: "workspace.created",
			target: workspace_id,
			details: { name, client_id, client_key_id: clientKey.id, origins: [...origins] },
		});
	});
	return workspace;
}

function toDefaultClientKey(
	{ client_key, workspace_id }: WorkspaceCredentials,
	origins: readonly string[],
	now: number,
) {
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
	return toClientKeyRow(key, workspace_id, parts.secret, now);
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
