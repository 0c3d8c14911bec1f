import type { ClientKey, CreatedClientKey } from "@stemma/client";
import type { JsonObject } from "@stemma/core";
import { clock } from "@stemma/core/internal";
import type { AuditAuthor } from "../audit/audit-author";
import type { PageRequest } from "../pagination";
import type { DeploymentDatabase } from "../store/deployment-database";
import type { ClientKeyRow } from "../store/deployment-tables";
import { parseColumn } from "../store/json-column";
import { recordDeploymentAudit } from "../store/sqlite/audit-repository";
import { createClientKeySecret, formatClientKey } from "./client-key-format";
import { hashSecret } from "./secrets";

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
	database: DeploymentDatabase,
	workspaceId: string,
	author: AuditAuthor,
): ClientKeys {
	const { read, write } = database;
	const rows = () => read.selectFrom("client_keys").selectAll().where("workspace_id", "=", workspaceId);
	return {
		async create(key) {
			const secret = createClientKeySecret();
			const row = toClientKeyRow(key, workspaceId, secret, clock.now());
			await write.transaction().execute(async (transaction) => {
				await transaction.insertInto("client_keys").values(row).execute();
				await recordDeploymentAudit(transaction, workspaceId, {
					...author,
					action: "client_key.created",
					target: key.id,
					details: toDetails(key),
				});
			});
			return { ...toClientKey(row), client_key: formatClientKey(key.id, secret) };
		},
		async list({ limit, after = "" }) {
			const found = await rows()
				.where("id", ">", after)
				.orderBy("id")
				.limit(limit + 1)
				.execute();
			return found.map(toClientKey);
		},
		async find(id) {
			const row = await rows().where("id", "=", id).executeTakeFirst();
			return row && toClientKey(row);
		},
		async delete(id, assertAllowed) {
			return write.transaction().execute(async (transaction) => {
				const row = await transaction
					.selectFrom("client_keys")
					.selectAll()
					.where("workspace_id", "=", workspaceId)
					.where("id", "=", id)
					.executeTakeFirst();
				if (row === undefined) return false;
				assertAllowed(toClientKey(row));
				await transaction.deleteFrom("client_keys").where("id", "=", id).execute();
				await recordDeploymentAudit(transaction, workspaceId, {
					...author,
					action: "client_key.deleted",
					target: id,
					details: { name: row.name },
				});
				return true;
			});
		},
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

export const toClientKeyRow = (
	key: NewClientKey,
	workspaceId: string,
	secret: string,
	now: number,
): ClientKeyRow => ({
	...key,
	workspace_id: workspaceId,
	scopes: JSON.stringify(key.scopes),
	origins: JSON.stringify(key.origins),
	native: Number(key.native),
	agents: key.agents && JSON.stringify(key.agents),
	knowledge_base_ids: key.knowledge_base_ids && JSON.stringify(key.knowledge_base_ids),
	models: Number(key.models),
	secret_hash: hashSecret(secret),
	created_at: now,
});

/** A row as the wire has it. */
export function toClientKey({ workspace_id: _, secret_hash: __, ...row }: ClientKeyRow): ClientKey {
	return {
		...row,
		scopes: parseColumn(row.scopes),
		origins: parseColumn(row.origins),
		native: row.native === 1,
		agents: row.agents === null ? null : parseColumn(row.agents),
		knowledge_base_ids: row.knowledge_base_ids === null ? null : parseColumn(row.knowledge_base_ids),
		models: row.models === 1,
		created_at: new Date(row.created_at).toISOString(),
	};
}
