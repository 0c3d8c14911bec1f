import { type ExpressionBuilder, sql } from "kysely";
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
			.expression(selectNew(clientKeyId, day, tokens))
			.onConflict((conflict) => conflict.columns(["client_key_id", "day"]).doUpdateSet({ tokens }))
			.execute();
	},
	async reserve({ clientKeyId, day, tokens }, maxTokens) {
		if (tokens > maxTokens) return false;
		const row = await write
			.insertInto("token_budgets")
			.columns(["client_key_id", "day", "tokens"])
			.expression(selectNew(clientKeyId, day, tokens))
			.onConflict((conflict) =>
				conflict
					.columns(["client_key_id", "day"])
					.doUpdateSet(({ eb, ref }) => ({ tokens: eb("token_budgets.tokens", "+", ref("excluded.tokens")) }))
					.where("token_budgets.tokens", "<=", maxTokens - tokens),
			)
			.returning("tokens")
			.executeTakeFirst();
		return row !== undefined;
	},
	async change({ clientKeyId, day, tokens }) {
		await write
			.updateTable("token_budgets")
			.set({ tokens: sql<number>`CASE WHEN tokens + ${tokens} < 0 THEN 0 ELSE tokens + ${tokens} END` })
			.where("client_key_id", "=", clientKeyId)
			.where("day", "=", day)
			.execute();
	},
});

/** Selects a new row of a day, where the key was not deleted. */
const selectNew =
	(clientKeyId: string, day: string, tokens: number) =>
	(query: ExpressionBuilder<DeploymentTables, "token_budgets">) =>
		query
			.selectFrom("client_keys")
			.select(({ val }) => ["id as client_key_id", val(day).as("day"), val(tokens).as("tokens")])
			.where("id", "=", clientKeyId);
