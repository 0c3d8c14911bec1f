import type { ApiClient, CreatedApiClient, Scope } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import type { Kysely, Selectable } from "kysely";
import type { AuditAuthor } from "../audit/audit-author";
import type { PageRequest } from "../pagination";
import type { DeploymentDatabase } from "../store/deployment-database";
import type { ClientRow, DeploymentTables } from "../store/deployment-tables";
import { parseColumn } from "../store/json-column";
import { recordDeploymentAudit } from "../store/sqlite/audit-repository";
import { assertManagerRemains } from "./last-manager";
import { createSecret, hashSecret } from "./secrets";

/** A client to be made. */
export interface NewApiClient {
	readonly id: string;
	readonly workspaceId: string;
	readonly name: string;
	readonly scopes: readonly Scope[];
}

/** Clients of one workspace; clients of other workspaces are never found. */
export interface ApiClients {
	create(client: Omit<NewApiClient, "workspaceId">): Promise<CreatedApiClient>;
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
	database: Pick<DeploymentDatabase, "read" | "write">,
	workspaceId: string,
	author: AuditAuthor,
): ApiClients {
	const { read, write } = database;

	/** The client of an id, once it is sure that it may be deleted or get a new secret. */
	async function findChangeable(
		transaction: Pick<Kysely<DeploymentTables>, "selectFrom">,
		id: string,
		assertAllowed: AssertAllowed,
	): Promise<ApiClient | undefined> {
		const row = await transaction
			.selectFrom("clients")
			.selectAll()
			.where("workspace_id", "=", workspaceId)
			.where("id", "=", id)
			.executeTakeFirst();
		if (row === undefined) return undefined;
		const client = toApiClient(row);
		assertAllowed(client.scopes);
		await assertManagerRemains(transaction, workspaceId, client);
		return client;
	}

	return {
		async create(client) {
			const secret = createSecret(CLIENT_SECRET_PREFIX);
			const row = toClientRow({ ...client, workspaceId }, secret, clock.now());
			await write.transaction().execute(async (transaction) => {
				await transaction.insertInto("clients").values(row).execute();
				await recordDeploymentAudit(transaction, workspaceId, {
					...author,
					action: "client.created",
					target: client.id,
					details: { name: client.name, scopes: [...client.scopes] },
				});
			});
			return { ...toApiClient(row), client_secret: secret };
		},
		async list({ limit, after = "" }) {
			const rows = await read
				.selectFrom("clients")
				.selectAll()
				.where("workspace_id", "=", workspaceId)
				.where("id", ">", after)
				.orderBy("id")
				.limit(limit + 1)
				.execute();
			return rows.map(toApiClient);
		},
		async find(id) {
			const row = await read
				.selectFrom("clients")
				.selectAll()
				.where("workspace_id", "=", workspaceId)
				.where("id", "=", id)
				.executeTakeFirst();
			return row && toApiClient(row);
		},
		async delete(id, assertAllowed) {
			return write.transaction().execute(async (transaction) => {
				const client = await findChangeable(transaction, id, assertAllowed);
				if (client === undefined) return false;
				await transaction.deleteFrom("clients").where("id", "=", id).execute();
				await recordDeploymentAudit(transaction, workspaceId, {
					...author,
					action: "client.deleted",
					target: id,
					details: { name: client.name, scopes: [...client.scopes] },
				});
				return true;
			});
		},
		async rotate(id, assertAllowed) {
			const secret = createSecret(CLIENT_SECRET_PREFIX);
			return write.transaction().execute(async (transaction) => {
				const client = await findChangeable(transaction, id, assertAllowed);
				if (client === undefined) return undefined;
				await transaction
					.updateTable("clients")
					.set({ secret_hash: hashSecret(secret) })
					.where("id", "=", id)
					.execute();
				await transaction.deleteFrom("access_tokens").where("client_id", "=", id).execute();
				await recordDeploymentAudit(transaction, workspaceId, {
					...author,
					action: "client.rotated",
					target: id,
					details: { name: client.name, scopes: [...client.scopes] },
				});
				return { ...client, client_secret: secret };
			});
		},
	};
}

export const toClientRow = (
	{ id, workspaceId, name, scopes }: NewApiClient,
	secret: string,
	now: number,
): ClientRow => ({
	id,
	workspace_id: workspaceId,
	name,
	scopes: JSON.stringify(scopes),
	secret_hash: hashSecret(secret),
	created_at: now,
});

const toApiClient = (row: Selectable<ClientRow>): ApiClient => ({
	id: row.id,
	name: row.name,
	scopes: parseColumn(row.scopes),
	created_at: new Date(row.created_at).toISOString(),
});
