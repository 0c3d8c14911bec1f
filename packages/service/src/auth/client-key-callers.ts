import type { ClientKey } from "@stemma/client";
import type { DeploymentDatabase } from "../store/deployment-database";
import type { ClientKeyRow } from "../store/deployment-tables";
import type { ClientKeyCaller } from "./caller";
import { parseClientKey } from "./client-key-format";
import { toClientKey } from "./client-keys";
import { verifySecret } from "./secrets";

/** A client key that was sent, and where it may be sent from. */
export interface SentClientKey {
	readonly caller: ClientKeyCaller;
	readonly key: ClientKey;
}

/** Finds the caller of a client key; `undefined` for a text that is no client key, or not a valid one. */
export async function findClientKeyCaller(
	database: DeploymentDatabase,
	text: string,
): Promise<SentClientKey | undefined> {
	const parts = parseClientKey(text);
	if (parts === undefined) return undefined;
	const row = await findClientKeyRow(database, parts.id);
	if (!verifySecret(parts.secret, row?.secret_hash) || row === undefined) return undefined;
	const key = toClientKey(row);
	return { key, caller: toCaller(key, row.workspace_id) };
}

/** The caller behind a client key, for what it began before; nothing once the key is deleted. */
export async function findClientKeyById(
	database: DeploymentDatabase,
	id: string,
): Promise<ClientKeyCaller | undefined> {
	const row = await findClientKeyRow(database, id);
	return row && toCaller(toClientKey(row), row.workspace_id);
}

const findClientKeyRow = ({ read }: DeploymentDatabase, id: string): Promise<ClientKeyRow | undefined> =>
	read.selectFrom("client_keys").selectAll().where("id", "=", id).executeTakeFirst();

const toCaller = (key: ClientKey, workspaceId: string): ClientKeyCaller => ({
	kind: "client_key",
	id: key.id,
	workspaceId,
	scopes: key.scopes,
	agents: key.agents,
	knowledgeBaseIds: key.knowledge_base_ids,
	models: key.models,
	expose: key.expose,
	requestsPerMinute: key.requests_per_minute,
	tokensPerDay: key.tokens_per_day,
});
