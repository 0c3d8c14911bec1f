import type { AppRepository } from "../../../authorizations/authorization-repository";
import type { Queries } from "../../database";
import type { DeploymentTables } from "../../deployment-tables";
import { parseColumn } from "../../json-column";
import { NO_LIMIT } from "../no-limit";

/** Apps of the deployment, in its tables. */
export const createAppRepository = ({ read, write }: Queries<DeploymentTables>): AppRepository => ({
	async find(id) {
		const row = await read
			.selectFrom("apps")
			.select(["id", "name", "redirect_uris"])
			.where("id", "=", id)
			.executeTakeFirst();
		return row && { id: row.id, name: row.name, redirectUris: parseColumn(row.redirect_uris) };
	},
	insert: ({ id, name, redirectUris }, now, max) =>
		write.transaction().execute(async (transaction) => {
			await transaction
				.insertInto("apps")
				.values({ id, name, redirect_uris: JSON.stringify(redirectUris), created_at: now })
				.execute();
			await transaction
				.deleteFrom("apps")
				.where("id", "in", (query) =>
					query
						.selectFrom("apps")
						.select("id")
						.where("id", "not in", (used) => used.selectFrom("authorizations").select("client_id"))
						.orderBy("id", "desc")
						.limit(NO_LIMIT)
						.offset(max),
				)
				.execute();
		}),
	async deleteUnused(createdBefore) {
		await write
			.deleteFrom("apps")
			.where("created_at", "<", createdBefore)
			.where("id", "not in", (used) => used.selectFrom("authorizations").select("client_id"))
			.execute();
	},
});
