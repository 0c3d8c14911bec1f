import type { ClientKey } from "@stemma/client";
import type { Kysely } from "kysely";
import type { ClientKeyRepository, StoredClientKey } from "../../../auth/client-keys/client-key-repository";
import type { Queries } from "../../database";
import type { ClientKeyRow, DeploymentTables } from "../../deployment-tables";
import { type JsonColumn, parseColumn } from "../../json-column";
import { recordDeploymentAudit } from "../audit-repository";

/** Client keys of the deployment, in its tables. */
export const createClientKeyRepository = ({
	read,
	write,
}: Queries<DeploymentTables>): ClientKeyRepository => ({
	async find(workspaceId, id) {
		const row = await selectOf(read, workspaceId).where("id", "=", id).executeTakeFirst();
		return row && toClientKey(row);
	},
	async list(workspaceId, { limit, after = "" }) {
		const rows = await selectOf(read, workspaceId)
			.where("id", ">", after)
			.orderBy("id")
			.limit(limit + 1)
			.execute();
		return rows.map(toClientKey);
	},
	async findCredentials(id) {
		const row = await read.selectFrom("client_keys").selectAll().where("id", "=", id).executeTakeFirst();
		return row && { key: toClientKey(row), workspaceId: row.workspace_id, secretHash: row.secret_hash };
	},
	insert: (workspaceId, key, audit) =>
		write.transaction().execute(async (transaction) => {
			await transaction.insertInto("client_keys").values(toClientKeyRow(workspaceId, key)).execute();
			await recordDeploymentAudit(transaction, workspaceId, audit);
		}),
	delete: (workspaceId, id, decide) =>
		write.transaction().execute(async (transaction) => {
			const row = await selectOf(transaction, workspaceId).where("id", "=", id).executeTakeFirst();
			if (row === undefined) return false;
			const audit = decide(toClientKey(row));
			await transaction.deleteFrom("client_keys").where("id", "=", id).execute();
			await recordDeploymentAudit(transaction, workspaceId, audit);
			return true;
		}),
});

const selectOf = (queries: Kysely<DeploymentTables>, workspaceId: string) =>
	queries.selectFrom("client_keys").selectAll().where("workspace_id", "=", workspaceId);

export const toClientKeyRow = (
	workspaceId: string,
	{ secretHash, ...key }: StoredClientKey,
): ClientKeyRow => ({
	...key,
	workspace_id: workspaceId,
	scopes: JSON.stringify(key.scopes),
	origins: JSON.stringify(key.origins),
	native: Number(key.native),
	agents: key.agents && JSON.stringify(key.agents),
	knowledge_base_ids: key.knowledge_base_ids && JSON.stringify(key.knowledge_base_ids),
	models: Number(key.models),
	secret_hash: secretHash,
	created_at: Date.parse(key.created_at),
});

const toClientKey = ({ workspace_id: _, secret_hash: __, ...row }: ClientKeyRow): ClientKey => ({
	...row,
	scopes: parseColumn(row.scopes),
	origins: parseColumn(row.origins),
	native: row.native === 1,
	agents: parseNullable(row.agents),
	knowledge_base_ids: parseNullable(row.knowledge_base_ids),
	models: row.models === 1,
	created_at: new Date(row.created_at).toISOString(),
});

const parseNullable = <Value>(column: JsonColumn<Value> | null): Value | null =>
	column === null ? null : parseColumn(column);
