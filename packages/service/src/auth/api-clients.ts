import type { ApiClient, CreatedApiClient, Scope } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import type { AuditAuthor } from "../audit/audit-author";
import type { AuditEntry } from "../audit/audit-record";
import type { PageRequest } from "../pagination";
import type { ClientRepository, DecideClientChange, StoredClient } from "./client-repository";
import { assertManagerRemains } from "./last-manager";
import { createSecret, hashSecret } from "./secrets";

/** A client to be made. */
export type NewApiClient = Omit<ApiClient, "created_at">;

/** Clients of one workspace; clients of other workspaces are never found. */
export interface ApiClients {
	create(client: NewApiClient): Promise<CreatedApiClient>;
	/** Lists clients: up to one more than `limit`, so that the caller knows whether there are more. */
	list(page: PageRequest): Promise<readonly ApiClient[]>;
	find(id: string): Promise<ApiClient | undefined>;
	/**
	 * Deletes a client and ends its tokens. False where there is none.
	 *
	 * @param assertAllowed - throws where the caller must not do this to a client of such scopes; called in the transaction.
	 * @throws DomainError `last_manager`
	 */
	delete(id: string, assertAllowed: AssertAllowed): Promise<boolean>;
	/**
	 * Gives a client a new secret and ends the old one with all tokens. Undefined where there is none.
	 *
	 * @param assertAllowed - as for `delete`.
	 * @throws DomainError `last_manager`
	 */
	rotate(id: string, assertAllowed: AssertAllowed): Promise<CreatedApiClient | undefined>;
}

/** Throws where a caller must not change a credential that has these scopes. */
export type AssertAllowed = (scopes: readonly Scope[]) => void;

export const CLIENT_SECRET_PREFIX = "cs";

/** @param author - of what is changed by it. */
export function createApiClients(
	repository: ClientRepository,
	workspaceId: string,
	author: AuditAuthor,
): ApiClients {
	const toAudit = (action: AuditEntry["action"], { id, name, scopes }: NewApiClient): AuditEntry => ({
		...author,
		action,
		target: id,
		details: { name, scopes: [...scopes] },
	});
	const decideOn =
		(action: AuditEntry["action"], assertAllowed: AssertAllowed): DecideClientChange =>
		(client, others) => {
			assertAllowed(client.scopes);
			assertManagerRemains(client, others);
			return toAudit(action, client);
		};
	return {
		async create(client) {
			const secret = createSecret(CLIENT_SECRET_PREFIX);
			const { secretHash, ...created } = toStoredClient(client, secret);
			await repository.insert(workspaceId, { ...created, secretHash }, toAudit("client.created", client));
			return { ...created, client_secret: secret };
		},
		list: (page) => repository.list(workspaceId, page),
		find: (id) => repository.find(workspaceId, id),
		delete: (id, assertAllowed) =>
			repository.delete(workspaceId, id, decideOn("client.deleted", assertAllowed)),
		async rotate(id, assertAllowed) {
			const secret = createSecret(CLIENT_SECRET_PREFIX);
			const decide = decideOn("client.rotated", assertAllowed);
			const client = await repository.replaceSecret(workspaceId, id, hashSecret(secret), decide);
			return client && { ...client, client_secret: secret };
		},
	};
}

/** New client with the hash of its secret. */
export const toStoredClient = ({ id, name, scopes }: NewApiClient, secret: string): StoredClient => ({
	id,
	name,
	scopes,
	created_at: new Date(clock.now()).toISOString(),
	secretHash: hashSecret(secret),
});
