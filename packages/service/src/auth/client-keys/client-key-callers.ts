import type { ClientKey } from "@stemma/client";
import type { ClientKeyCaller } from "../caller";
import { verifySecret } from "../secrets";
import { parseClientKey } from "./client-key-format";
import type { ClientKeyRepository } from "./client-key-repository";

/** A client key that was sent, and where it may be sent from. */
export interface SentClientKey {
	readonly caller: ClientKeyCaller;
	readonly key: ClientKey;
}

/** Finds the caller of a client key; `undefined` for a text that is no client key, or not a valid one. */
export async function findClientKeyCaller(
	repository: ClientKeyRepository,
	text: string,
): Promise<SentClientKey | undefined> {
	const parts = parseClientKey(text);
	if (parts === undefined) return undefined;
	const stored = await repository.findCredentials(parts.id);
	if (!verifySecret(parts.secret, stored?.secretHash) || stored === undefined) return undefined;
	return { key: stored.key, caller: toCaller(stored.key, stored.workspaceId) };
}

/** The caller behind a client key, for what it began before; nothing once the key is deleted. */
export async function findClientKeyById(
	repository: ClientKeyRepository,
	id: string,
): Promise<SentClientKey | undefined> {
	const stored = await repository.findCredentials(id);
	return stored && { key: stored.key, caller: toCaller(stored.key, stored.workspaceId) };
}

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
