import type { AccessTokenRepository, StoredAccessToken } from "../../../auth/tokens/access-token-repository";
import type { Queries } from "../../database";
import type { DeploymentTables } from "../../deployment-tables";
import { parseColumn } from "../../json-column";

/** Access tokens of the deployment, in its tables. */
export const createAccessTokenRepository = ({
	read,
	write,
}: Queries<DeploymentTables>): AccessTokenRepository => ({
	async find(tokenHash) {
		const row = await read
			.selectFrom("access_tokens")
			.innerJoin("clients", "clients.id", "access_tokens.client_id")
			.select(["clients.id", "clients.workspace_id", "access_tokens.scopes", "access_tokens.expires_at"])
			.where("token_hash", "=", tokenHash)
			.executeTakeFirst();
		return (
			row && {
				clientId: row.id,
				workspaceId: row.workspace_id,
				scopes: parseColumn(row.scopes),
				expiresAt: row.expires_at,
			}
		);
	},
	async insert(token, secretHash, maxTokens) {
		if (!(await insertToken(write, token, secretHash))) return false;
		const { clientId } = token;
		const { count } = await read
			.selectFrom("access_tokens")
			.select(({ fn }) => fn.countAll<number>().as("count"))
			.where("client_id", "=", clientId)
			.executeTakeFirstOrThrow();
		if (count > maxTokens) await deleteOldest(write, clientId, count - maxTokens);
		return true;
	},
	async findLastExpiry() {
		const row = await read
			.selectFrom("access_tokens")
			.select(({ fn }) => fn.max("expires_at").as("last"))
			.executeTakeFirst();
		return row?.last ?? undefined;
	},
	async deleteExpired(now) {
		await write.deleteFrom("access_tokens").where("expires_at", "<=", now).execute();
	},
	async deleteAll() {
		await write.deleteFrom("access_tokens").execute();
	},
});

type Write = Queries<DeploymentTables>["write"];

/** Inserts nothing where the secret was rotated meanwhile. @returns whether it did. */
async function insertToken(
	write: Write,
	{ tokenHash, clientId, scopes, expiresAt }: StoredAccessToken,
	secretHash: Uint8Array,
): Promise<boolean> {
	const { numInsertedOrUpdatedRows } = await write
		.insertInto("access_tokens")
		.columns(["token_hash", "client_id", "scopes", "expires_at"])
		.expression((query) =>
			query
				.selectFrom("clients")
				.select(({ val }) => [
					val(tokenHash).as("token_hash"),
					"id as client_id",
					val(JSON.stringify(scopes)).as("scopes"),
					val(expiresAt).as("expires_at"),
				])
				.where("id", "=", clientId)
				.where("secret_hash", "=", secretHash),
		)
		.executeTakeFirst();
	return numInsertedOrUpdatedRows === 1n;
}

async function deleteOldest(write: Write, clientId: string, count: number): Promise<void> {
	await write
		.deleteFrom("access_tokens")
		.where("token_hash", "in", (query) =>
			query
				.selectFrom("access_tokens")
				.select("token_hash")
				.where("client_id", "=", clientId)
				.orderBy("expires_at")
				.limit(count),
		)
		.execute();
}
