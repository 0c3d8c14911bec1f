import type { CreatedServerClient, Scope, ServerClient } from "@stemma/client";
import type { Selectable } from "kysely";
import { putDeploymentAudit } from "../audit/audit";
import type { AuditAuthor } from "../audit/audit-author";
import type { PageRequest } from "../http/pages";
import type { DeploymentDatabase } from "../store/deployment-database";
import type { ClientRow } from "../store/deployment-tables";
import { createSecret, hashSecret } from "./secrets";

/** A client to be made. */
export interface NewClient {
	readonly id: string;
	readonly workspaceId: string;
	readonly name: string;
	readonly scopes: readonly Scope[];
}

/** The clients of one workspace; those of others are as if they did not exist. */
export interface Clients {
	create(client: Omit<NewClient, "workspaceId">): Promise<CreatedServerClient>;
	/** One more than `limit`, where there are more. */
	list(page: PageRequest): Promise<readonly ServerClient[]>;
	find(id: string): Promise<ServerClient | undefined>;
	/** False where there is none. Its tokens end with it. */
	delete(id: string): Promise<boolean>;
	/** With a new secret; the old one and all tokens have ended. */
	rotate(id: string): Promise<CreatedServerClient | undefined>;
}

export const CLIENT_SECRET_PREFIX = "cs";

/** @param author - of what is changed by it. */
export function createClients(
	database: Pick<DeploymentDatabase, "read" | "write">,
	workspaceId: string,
	author: AuditAuthor,
): Clients {
	const { read, write } = database;
	return {
		async create(client) {
			const secret = createSecret(CLIENT_SECRET_PREFIX);
			const row = toClientRow({ ...client, workspaceId }, secret, Date.now());
			await write.transaction().execute(async (transaction) => {
				await transaction.insertInto("clients").values(row).execute();
				await putDeploymentAudit(transaction, workspaceId, {
					...author,
					action: "client.created",
					target: client.id,
					details: { name: client.name, scopes: [...client.scopes] },
				});
			});
			return { ...toServerClient(row), client_secret: secret };
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
			return rows.map(toServerClient);
		},
		async find(id) {
			const row = await read
				.selectFrom("clients")
				.selectAll()
				.where("workspace_id", "=", workspaceId)
				.where("id", "=", id)
				.executeTakeFirst();
			return row && toServerClient(row);
		},
		async delete(id) {
			return write.transaction().execute(async (transaction) => {
				const deleted = await transaction
					.deleteFrom("clients")
					.where("workspace_id", "=", workspaceId)
					.where("id", "=", id)
					.returning("name")
					.executeTakeFirst();
				if (deleted === undefined) return false;
				await putDeploymentAudit(transaction, workspaceId, {
					...author,
					action: "client.deleted",
					target: id,
					details: { name: deleted.name },
				});
				return true;
			});
		},
		async rotate(id) {
			const secret = createSecret(CLIENT_SECRET_PREFIX);
			const row = await write.transaction().execute(async (transaction) => {
				const changed = await transaction
					.updateTable("clients")
					.set({ secret_hash: hashSecret(secret) })
					.where("workspace_id", "=", workspaceId)
					.where("id", "=", id)
					.returningAll()
					.executeTakeFirst();
				if (changed === undefined) return undefined;
				await transaction.deleteFrom("access_tokens").where("client_id", "=", id).execute();
				await putDeploymentAudit(transaction, workspaceId, {
					...author,
					action: "client.rotated",
					target: id,
					details: { name: changed.name },
				});
				return changed;
			});
			return row && { ...toServerClient(row), client_secret: secret };
		},
	};
}

export const toClientRow = (
	{ id, workspaceId, name, scopes }: NewClient,
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

const toServerClient = (row: Selectable<ClientRow>): ServerClient => ({
	id: row.id,
	name: row.name,
	scopes: JSON.parse(row.scopes) as Scope[],
	created_at: new Date(row.created_at).toISOString(),
});
