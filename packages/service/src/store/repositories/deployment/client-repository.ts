import type { ApiClient } from "@stemma/client";
import type { Kysely } from "kysely";
import type { ClientRepository, DecideClientChange, StoredClient } from "../../../auth/client-repository";
import type { Queries } from "../../database";
import type { ClientRow, DeploymentTables } from "../../deployment-tables";
import { parseColumn } from "../../json-column";
import { recordDeploymentAudit } from "../audit-repository";

/** Clients of the deployment, in its tables. */
export const createClientRepository = ({ read, write }: Queries<DeploymentTables>): ClientRepository => {
	/** Changes a client, where it is there and `decide` allows it. */
	const changeClient = (
		workspaceId: string,
		id: string,
		decide: DecideClientChange,
		change: (transaction: Kysely<DeploymentTables>) => Promise<void>,
	): Promise<ApiClient | undefined> =>
		write.transaction().execute(async (transaction) => {
			const clients = await selectOf(transaction, workspaceId).execute();
			const row = clients.find((client) => client.id === id);
			if (row === undefined) return undefined;
			const others = clients.filter((client) => client !== row).map(({ scopes }) => parseColumn(scopes));
			const audit = decide(toApiClient(row), others);
			await change(transaction);
			await recordDeploymentAudit(transaction, workspaceId, audit);
			return toApiClient(row);
		});
	return {
		async find(workspaceId, id) {
			const row = await selectOf(read, workspaceId).where("id", "=", id).executeTakeFirst();
			return row && toApiClient(row);
		},
		async list(workspaceId, { limit, after = "" }) {
			const rows = await selectOf(read, workspaceId)
				.where("id", ">", after)
				.orderBy("id")
				.limit(limit + 1)
				.execute();
			return rows.map(toApiClient);
		},
		async findCredentials(id) {
			const row = await read.selectFrom("clients").selectAll().where("id", "=", id).executeTakeFirst();
			return (
				row && {
					workspaceId: row.workspace_id,
					scopes: parseColumn(row.scopes),
					secretHash: row.secret_hash,
				}
			);
		},
		insert: (workspaceId, client, audit) =>
			write.transaction().execute(async (transaction) => {
				await transaction.insertInto("clients").values(toClientRow(workspaceId, client)).execute();
				await recordDeploymentAudit(transaction, workspaceId, audit);
			}),
		async delete(workspaceId, id, decide) {
			const deleted = await changeClient(workspaceId, id, decide, (transaction) =>
				deleteClient(transaction, id),
			);
			return deleted !== undefined;
		},
		replaceSecret: (workspaceId, id, secret_hash, decide) =>
			changeClient(workspaceId, id, decide, (transaction) => replaceSecretHash(transaction, id, secret_hash)),
	};
};

async function deleteClient(transaction: Kysely<DeploymentTables>, id: string): Promise<void> {
	await transaction.deleteFrom("clients").where("id", "=", id).execute();
	await transaction.deleteFrom("run_shares").where("created_by", "=", id).execute();
	await deleteInvitationsBy(transaction, id);
}

/** Replaces a client's secret, and ends what was made with the former one. */
async function replaceSecretHash(
	transaction: Kysely<DeploymentTables>,
	id: string,
	secret_hash: Uint8Array,
): Promise<void> {
	await transaction.updateTable("clients").set({ secret_hash }).where("id", "=", id).execute();
	await transaction.deleteFrom("access_tokens").where("client_id", "=", id).execute();
	await deleteInvitationsBy(transaction, id);
}

/** Deletes the invitations that a client has made: whoever stole its secret has their links. */
async function deleteInvitationsBy(transaction: Kysely<DeploymentTables>, clientId: string): Promise<void> {
	await transaction.deleteFrom("sign_in_links").where("invited_by", "=", clientId).execute();
}

const selectOf = (queries: Kysely<DeploymentTables>, workspaceId: string) =>
	queries.selectFrom("clients").selectAll().where("workspace_id", "=", workspaceId);

export const toClientRow = (
	workspaceId: string,
	{ id, name, scopes, secretHash, created_at }: StoredClient,
): ClientRow => ({
	id,
	workspace_id: workspaceId,
	name,
	scopes: JSON.stringify(scopes),
	secret_hash: secretHash,
	created_at: Date.parse(created_at),
});

const toApiClient = (row: ClientRow): ApiClient => ({
	id: row.id,
	name: row.name,
	scopes: parseColumn(row.scopes),
	created_at: new Date(row.created_at).toISOString(),
});
