import type { SecretRepository } from "../../workspace-secrets/secret-repository";
import type { Queries } from "../database";
import type { WorkspaceTables } from "../workspace-tables";
import { recordAudit } from "./audit-repository";

/** Secrets of a workspace. */
export function createSecretRepository({ read, write }: Queries<WorkspaceTables>): SecretRepository {
	const find = (name: string, from = read) =>
		from.selectFrom("workspace_secrets").selectAll().where("name", "=", name).executeTakeFirst();
	return {
		find: (name) => find(name),
		list: ({ limit, after = "" }) =>
			read
				.selectFrom("workspace_secrets")
				.selectAll()
				.where("name", ">", after)
				.orderBy("name")
				.limit(limit + 1)
				.execute(),
		replace: (name, change) =>
			write.transaction().execute(async (transaction) => {
				const { count } = await transaction
					.selectFrom("workspace_secrets")
					.select(({ fn }) => fn.countAll<number>().as("count"))
					.executeTakeFirstOrThrow();
				const { secret, audit } = change(await find(name, transaction), count);
				await transaction
					.insertInto("workspace_secrets")
					.values(secret)
					.onConflict((conflict) => conflict.column("name").doUpdateSet(secret))
					.execute();
				await recordAudit(transaction, audit);
				return secret;
			}),
		delete: (name, audit) =>
			write.transaction().execute(async (transaction) => {
				const { numDeletedRows } = await transaction
					.deleteFrom("workspace_secrets")
					.where("name", "=", name)
					.executeTakeFirst();
				if (numDeletedRows === 0n) return false;
				await recordAudit(transaction, audit);
				return true;
			}),
	};
}
