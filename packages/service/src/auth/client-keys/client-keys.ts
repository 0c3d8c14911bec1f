import type { ClientKey, CreatedClientKey } from "@stemma/client";
import type { JsonObject } from "@stemma/core";
import { clock } from "@stemma/core/internal";
import type { AuditAuthor } from "../../audit/audit-author";
import type { PageRequest } from "../../pagination";
import { hashSecret } from "../secrets";
import { createClientKeySecret, formatClientKey } from "./client-key-format";
import type { ClientKeyRepository, StoredClientKey } from "./client-key-repository";

/** A client key to be made. */
export type NewClientKey = Omit<ClientKey, "created_at">;

/** The client keys of one workspace; those of others are as if they did not exist. */
export interface ClientKeys {
	create(key: NewClientKey): Promise<CreatedClientKey>;
	/** One more than `limit`, where there are more. */
	list(page: PageRequest): Promise<readonly ClientKey[]>;
	find(id: string): Promise<ClientKey | undefined>;
	/**
	 * Deletes a key. False where there is none.
	 *
	 * @param assertAllowed - throws where the caller must not do this to such a key; called in the transaction.
	 */
	delete(id: string, assertAllowed: (key: ClientKey) => void): Promise<boolean>;
}

/** @param author - of what is changed by it. */
export function createClientKeys(
	repository: ClientKeyRepository,
	workspaceId: string,
	author: AuditAuthor,
): ClientKeys {
	return {
		async create(key) {
			const secret = createClientKeySecret();
			const { secretHash, ...created } = toStoredClientKey(key, secret);
			await repository.insert(
				workspaceId,
				{ ...created, secretHash },
				{ ...author, action: "client_key.created", target: key.id, details: toDetails(key) },
			);
			return { ...created, client_key: formatClientKey(key.id, secret) };
		},
		list: (page) => repository.list(workspaceId, page),
		find: (id) => repository.find(workspaceId, id),
		delete: (id, assertAllowed) =>
			repository.delete(workspaceId, id, (key) => {
				assertAllowed(key);
				return { ...author, action: "client_key.deleted", target: id, details: { name: key.name } };
			}),
	};
}

/** Returns the permissions of a key, for the audit log. */
const toDetails = (key: NewClientKey): JsonObject => ({
	name: key.name,
	scopes: [...key.scopes],
	origins: [...key.origins],
	native: key.native,
	agents: key.agents && [...key.agents],
	knowledge_base_ids: key.knowledge_base_ids && [...key.knowledge_base_ids],
	requests_per_minute: key.requests_per_minute,
	tokens_per_day: key.tokens_per_day,
	models: key.models,
	expose: key.expose,
});

/** New client key with the hash of its secret. */
export const toStoredClientKey = (key: NewClientKey, secret: string): StoredClientKey => ({
	...key,
	created_at: new Date(clock.now()).toISOString(),
	secretHash: hashSecret(secret),
});
