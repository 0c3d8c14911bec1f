import { hashSecret } from "../../../auth/secrets";
import type { UsedTokens } from "../../../people/used-tokens";
import type { Queries } from "../../database";
import type { DeploymentTables } from "../../deployment-tables";

/** Used tokens of the deployment, in its tables: their hashes, until they expire. */
export const createUsedTokenRepository = ({ read, write }: Queries<DeploymentTables>): UsedTokens => ({
	async isUsed(id) {
		const row = await read
			.selectFrom("used_tokens")
			.select("token_hash")
			.where("token_hash", "=", hashSecret(id))
			.executeTakeFirst();
		return row !== undefined;
	},
	async use(id, expiresAt) {
		const row = await write
			.insertInto("used_tokens")
			.values({ token_hash: hashSecret(id), expires_at: expiresAt })
			.onConflict((conflict) => conflict.doNothing())
			.returning("expires_at")
			.executeTakeFirst();
		return row !== undefined;
	},
	async deleteExpired(now) {
		await write.deleteFrom("used_tokens").where("expires_at", "<=", now).execute();
	},
});
