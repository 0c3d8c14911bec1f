import type { TokenBudgetRepository } from "../../../auth/budgets/token-budget-repository";
import type { Queries } from "../../database";
import type { DeploymentTables } from "../../deployment-tables";

/** Daily token budgets of the deployment, in its tables. */
export const createTokenBudgetRepository = ({
	read,
	write,
}: Queries<DeploymentTables>): TokenBudgetRepository => ({
	async readTokens(clientKeyId, day) {
		const row = await read
			.selectFrom("token_budgets")
			.select("tokens")
			.where("client_key_id", "=", clientKeyId)
			.where("day", "=", day)
			.executeTakeFirst();
		return row?.tokens ?? 0;
	},
	async replace({ clientKeyId, day, tokens }) {
		await write
			.insertInto("token_budgets")
			.columns(["client_key_id", "day", "tokens"])
			.expression((query) =>
				query
					.selectFrom("client_keys")
					.select(({ val }) => ["id as client_key_id", val(day).as("day"), val(tokens).as("tokens")])
					.where("id", "=", clientKeyId),
			)
			.onConflict((conflict) => conflict.columns(["client_key_id", "day"]).doUpdateSet({ tokens }))
			.execute();
	},
});
