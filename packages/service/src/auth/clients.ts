import type { CreatedServerClient, Scope, ServerClient } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import type { Kysely, Selectable } from "kysely";
import { putDeploymentAudit } from "../audit/audit";
import type { AuditAuthor } from "../audit/audit-author";
import type { PageRequest } from "../http/pages";
import type { DeploymentDatabase } from "../store/deployment-database";
import type { ClientRow, DeploymentTables } from "../store/deployment-tables";
import { assertManagerRemains } from "./last-manager";
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
	/**
	 * Deletes a client and ends its tokens. False where there is none.
	 *
	 * @param assertMay - throws where the caller must not do this to a client of such scopes; called in the transaction.
	 * @throws ApiError `last_manager`
	 */
	delete(id: string, assertMay: AssertMay): Promise<boolean>;
	/**
	 * Gives a client a new secret and ends the old one with all tokens. Undefined where there is none.
	 *
	 * @param assertMay - as for `delete`.
	 * @throws ApiError `last_manager`
	 */
	rotate(id: string, assertMay: AssertMay): Promise<CreatedServerClient | undefined>;
}

/** Throws where a caller must not change a credential that has these scopes. */
export type AssertMay = (scopes: readonly Scope[]) => void;

export const CLIENT_SECRET_PREFIX = "cs";

/** @param author - of what is changed by it. */
export function createClients(
	database: Pick<DeploymentDatabase, "read" | "write">,
	workspaceId: string,
	author: AuditAuthor,
): Clients {
	const { read, write } = database;

	/** The client of an id, once it is sure that it may be deleted or get a new secret. */
	async function findReplaceable(
		transaction: Pick<Kysely<DeploymentTables>, "selectFrom">,
		id: string,
		assertMay: AssertMay,
	): Promise<ServerClient | undefined> {
		const row = await transaction
			.selectFrom("clients")
			.selectAll()
			.where("workspace_id", "=", workspaceId)
			.where("id", "=", id)
			.executeTakeFirst();
		if (row === undefined) return undefined;
		const client = toServerClient(row);
		assertMay(client.scopes);
		await assertManagerRemains(transaction, workspaceId, client);
		return client;
	}

	return {
		async create(client) {
			const secret = createSecret(CLIENT_SECRET_PREFIX);
			const row = toClientRow({ ...client, workspaceId }, secret, clock.now());
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
		async delete(id, assertMay) {
			return write.transaction().execute(async (transaction) => {
				const client = await findReplaceable(transaction, id, assertMay);
				if (client === undefined) return false;
				await transaction.deleteFrom("clients").where("id", "=", id).execute();
				await putDeploymentAudit(transaction, workspaceId, {
					...author,
					action: "client.deleted",
					target: id,
					details: { name: client.name, scopes: [...client.scopes] },
				});
				return true;
			});
		},
		async rotate(id, assertMay) {
			const secret = createSecret(CLIENT_SECRET_PREFIX);
			return write.transaction().execute(async (transaction) => {
				const client = await findReplaceable(transaction, id, assertMay);
				if (client === undefined) return undefined;
				await transaction
					.updateTable("clients")
					.set({ secret_hash: hashSecret(secret) })
					.where("id", "=", id)
					.execute();
				await transaction.deleteFrom("access_tokens").where("client_id", "=", id).execute();
				await putDeploymentAudit(transaction, workspaceId, {
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
