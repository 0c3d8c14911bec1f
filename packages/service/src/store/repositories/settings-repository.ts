import type { LlmSettingsRepository } from "../../settings/settings-repository";
import type { Queries } from "../database";
import type { WorkspaceTables } from "../workspace-tables";
import { recordAudit } from "./audit-repository";

/** Model settings of a workspace. */
export function createSettingsRepository({ read, write }: Queries<WorkspaceTables>): LlmSettingsRepository {
	const find = (from = read) => from.selectFrom("llm_settings").selectAll().executeTakeFirst();
	return {
		find: () => find(),
		replace: (change) =>
			write.transaction().execute(async (transaction) => {
				const { settings, audit } = change(await find(transaction));
				await transaction
					.insertInto("llm_settings")
					.values(settings)
					.onConflict((conflict) => conflict.column("id").doUpdateSet(settings))
					.execute();
				await recordAudit(transaction, audit);
				return settings;
			}),
		delete: (audit) =>
			write.transaction().execute(async (transaction) => {
				const { numDeletedRows } = await transaction.deleteFrom("llm_settings").executeTakeFirst();
				if (numDeletedRows === 0n) return false;
				await recordAudit(transaction, audit);
				return true;
			}),
	};
}
